/** Longest signature that the service takes, bytes: one of a passkey, or of many owners, is longer than a key's 65. */
export const MAX_SIGNATURE_BYTES = 4096
