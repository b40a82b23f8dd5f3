"""Agreement between annotators: percent, kappas, Krippendorff's alpha, Gwet's AC1 and AC2, sets, boxes, and bootstraps of them."""
