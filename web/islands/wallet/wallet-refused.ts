/**
 * Thrown when the wallet or its owner refuses a request, such as a connection or a signature. In this case, nothing was
 * signed or sent. The message is for a person.
 */
export class WalletRefused extends Error {
  override name = 'WalletRefused'
}

const MOST_TEXT = 200

/**
 * Returns a sentence for a wallet's error. The wallet's own text is shortened, because the service does not control it.
 */
export function sentenceOf(error: unknown): string {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  if (code === 4001) return 'it was declined there.'
  if (typeof message !== 'string' || message === '') return 'it gave no reason.'
  const text = message.slice(0, MOST_TEXT)
  return /[.!?]$/.test(text) ? text : `${text}.`
}
