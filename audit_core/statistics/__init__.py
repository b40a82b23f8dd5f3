"""Intervals for proportions, the stratified estimate, the document-clustered bootstrap, the writing of percentages."""
