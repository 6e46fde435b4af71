import { readFileSync } from 'node:fs'
import { decryptKey } from '../../../client/src/keystore/keystore.ts'
import type { SignerPlace } from '../../../settings/signer-urls.ts'
import { createLocalRelayer } from './local-key.ts'
import type { Relayer } from './relayer.ts'

/**
 * Decrypts the key in a keystore file (version 3, the format of geth and `cast wallet`). `passphraseFile` contains the
 * passphrase.
 * @throws Error if one of the two files cannot be read, if `file` is not a keystore, or if the passphrase is wrong. The
 * message names the file
 */
export async function openKeystoreFile({
  file,
  passphraseFile,
}: Extract<SignerPlace, { kind: 'keystore' }>): Promise<Relayer> {
  const text = readText(file)
  // Editors add a line end.
  const passphrase = readText(passphraseFile).replace(/\r?\n$/, '')
  try {
    return createLocalRelayer(await decryptKey(text, passphrase), 'keystore')
  } catch (cause) {
    throw new Error(`${file} does not open with ${passphraseFile}: ${(cause as Error).message}`, { cause })
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new Error(`${path} cannot be read (${(cause as NodeJS.ErrnoException).code})`, { cause })
  }
}
