/** Longest signature that the service accepts, bytes: signatures of a passkey or of many owners are longer than a key's 65. */
export const MAX_SIGNATURE_BYTES = 4096
