"""People in pictures: key points of detectors, and motions that are made of them."""
