/**
 * Maximum length of a signature that the service accepts, bytes. A signature by one key has 65 bytes; signatures by a
 * passkey or by several owners are longer.
 */
export const MAX_SIGNATURE_BYTES = 4096
