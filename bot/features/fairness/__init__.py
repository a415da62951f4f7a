"""Fair dice: proofs of throws, and portable records that can be checked."""
