import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { LocalAccount } from 'viem'
import { openKeystore } from '../../../client/src/keystore/keystore.ts'

/**
 * Opens the account of a keystore. A keystore is an encrypted file with a private key; `cast wallet` and geth write
 * such files.
 * @param passwordFile file with the password; if it is absent, the terminal asks for the password without showing it
 * @throws Error if there is no password, or if the password does not open the keystore
 */
export async function openKeystoreSigner(file: string, passwordFile: string | undefined): Promise<LocalAccount> {
  const password =
    passwordFile === undefined ? await askPassword(`Password of ${file}: `) : readPasswordFile(passwordFile)
  return openKeystore(file, password)
}

/** Reads a password from a file, without the line break that editors add at the end. */
function readPasswordFile(path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch (cause) {
    throw new Error(`--password-file ${path} cannot be read: ${(cause as Error).message}`, { cause })
  }
}

async function askPassword(question: string): Promise<string> {
  const { stdin, stderr } = process
  if (!stdin.isTTY) {
    throw new Error('There is no terminal to ask for the password on: name a file that has it, --password-file FILE.')
  }
  const silentOutput = new Writable({ write: (_chunk, _encoding, onDone) => onDone() })
  const prompt = createInterface({ input: stdin, output: silentOutput, terminal: true })
  const interruption = new Promise<never>((_, reject) => {
    prompt.once('SIGINT', () => reject(new Error('No password was given.')))
  })
  try {
    const answer = prompt.question('')
    // Only now does the terminal no longer show what is typed.
    stderr.write(question)
    return await Promise.race([answer, interruption])
  } finally {
    prompt.close()
    stderr.write('\n')
  }
}
