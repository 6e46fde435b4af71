/**
 * First words of the texts that wallets sign (EIP-191) after the name of the service, one for each purpose. A colon ends the word
 * and no word has one, so that no text of one purpose is a text of another.
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

/** The purpose of a text that wallets sign. */
export type SignedTextKind = (typeof signedTextKinds)[number]

/** A text that wallets sign, without the name of the service. Example: `claim:0x9f..:2`. */
export type SignedText = `${SignedTextKind}:${string}`

/** A text in its signed form (EIP-191). Example: `service:claim:0x9f..:2`. */
export type SignedMessage = `${string}:${SignedText}`

/**
 * The text (EIP-191) by which a wallet accepts the policies of a service: the only text that does not begin with the service's
 * name and a colon.
 */
export type AcceptanceMessage = `${string} legal acceptance\n${string}`

/**
 * Prefixes a text with the name of the service. A name has no colon.
 *
 * Example: `toSignedMessage('service', taskText('claim', '0x9f..'), ':2')` is `service:claim:0x9f..:2`.
 * @param suffix the tail of the text: a round, keys of files, or a call
 */
export function toSignedMessage(serviceName: string, text: SignedText, suffix = ''): SignedMessage {
  return `${serviceName}:${text}${suffix}`
}
