/** The owner or the wallet declined: nothing was done. Its message is for a person. */
export class WalletRefused extends Error {
  override name = 'WalletRefused'
}

const MOST_TEXT = 200

/** The sentence of an error of a wallet. Its text is the wallet's own, so that it is cut. */
export function sentenceOf(error: unknown): string {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  if (code === 4001) return 'it was declined there.'
  if (typeof message !== 'string' || message === '') return 'it gave no reason.'
  const text = message.slice(0, MOST_TEXT)
  return /[.!?]$/.test(text) ? text : `${text}.`
}
