"""Page images: upright files as they are, PDF pages and turned images drawn once by one separate process.

Import `audit_core.rendering.page_images`; this file loads nothing, so that the drawing process starts at once.
"""
