/**
 * The kinds of messages that wallets sign (EIP-191). The kind is the first word after the prefix `<service>:`. A colon
 * follows the kind, and no kind contains a colon.
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

/** The kind of a signed message. It is the first word of the message after the prefix `<service>:`. */
export type SignedTextKind = (typeof signedTextKinds)[number]

/** A message that a wallet signs. The text does not contain the prefix `<service>:`. Example: `claim:0x9f..:2`. */
export type SignedText = `${SignedTextKind}:${string}`

/** A text with the prefix `<service>:`, in the form that wallets sign (EIP-191). Example: `service:claim:0x9f..:2`. */
export type SignedMessage = `${string}:${SignedText}`

/**
 * The message (EIP-191) by which a wallet accepts the policies of a service. This message has no prefix `<service>:`.
 * All other signed messages have the prefix.
 */
export type AcceptanceMessage = `${string} legal acceptance\n${string}`

/**
 * Adds the prefix `<service>:` and an optional ending to a text. The name of the service must contain no colon.
 *
 * Example: `toSignedMessage('service', taskText('claim', '0x9f..'), ':2')` is `service:claim:0x9f..:2`.
 * @param suffix the ending: a claim round, the keys of uploaded files, or the ending from `callTailOf`, which binds the
 * message to one call
 */
export function toSignedMessage(serviceName: string, text: SignedText, suffix = ''): SignedMessage {
  return `${serviceName}:${text}${suffix}`
}
