/**
 * Maximum length of a signature that the service accepts, in bytes. A signature by one key has 65 bytes. Signatures by
 * a passkey or by several owners are longer.
 */
export const MAX_SIGNATURE_BYTES = 4096
