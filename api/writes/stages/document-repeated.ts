import { type Refusal, refuse } from '../../domain/refusal.ts'

/**
 * Returns the refusal of a document that the account already sent. Each document is stored under its hash, so the hash
 * must be new.
 */
export function documentRepeated(): Refusal {
  return refuse(
    409,
    'document_repeated',
    'The same document with the same documentSalt was sent before by this account; nothing was charged. Look the earlier ' +
      'write up, or send another documentSalt of 32 random bytes.',
    { field: 'documentSalt' },
  )
}
