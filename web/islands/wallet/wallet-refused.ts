/** A refusal by the owner or the wallet. Nothing was done. Its message is for a person. */
export class WalletRefused extends Error {
  override name = 'WalletRefused'
}

const MOST_TEXT = 200

/** Returns the sentence of a wallet's error, shortened: its text is foreign. */
export function sentenceOf(error: unknown): string {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  if (code === 4001) return 'it was declined there.'
  if (typeof message !== 'string' || message === '') return 'it gave no reason.'
  const text = message.slice(0, MOST_TEXT)
  return /[.!?]$/.test(text) ? text : `${text}.`
}
