/**
 * The first word of each kind of text that wallets sign (EIP-191), after the prefix `<service>:`. A colon follows the
 * word, and no word contains a colon, so a text of one kind is never a valid text of another kind.
 */
export const signedTextKinds = [
  'claim',
  'submit',
  'forfeit',
  'select-worker',
  'upload',
  'pay',
  'bound-only',
  'withdraw-token',
  'read',
  'consent',
  'device-register',
  'set-withdrawal-address',
  'reveal-account-recovery-code',
  'curate',
  'webhook',
] as const

/** The kind of a text that wallets sign, which is also its first word. */
export type SignedTextKind = (typeof signedTextKinds)[number]

/** A text that wallets sign, without the prefix `<service>:`. Example: `claim:0x9f..:2`. */
export type SignedText = `${SignedTextKind}:${string}`

/** A text with the prefix `<service>:`, in the form that wallets sign (EIP-191). Example: `service:claim:0x9f..:2`. */
export type SignedMessage = `${string}:${SignedText}`

/**
 * The text (EIP-191) by which a wallet accepts the policies of a service. It is the only signed text that does not
 * begin with the prefix `<service>:`.
 */
export type AcceptanceMessage = `${string} legal acceptance\n${string}`

/**
 * Adds the prefix `<service>:` and an optional ending to a text. The name of the service must have no colon.
 *
 * Example: `toSignedMessage('service', taskText('claim', '0x9f..'), ':2')` is `service:claim:0x9f..:2`.
 * @param suffix the ending: a claim round, keys of uploaded files, or a call (`callTailOf`)
 */
export function toSignedMessage(serviceName: string, text: SignedText, suffix = ''): SignedMessage {
  return `${serviceName}:${text}${suffix}`
}
