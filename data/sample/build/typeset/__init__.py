"""The layout engine of the sample: text, tables and drawings set on pages whose boxes are known exactly."""
