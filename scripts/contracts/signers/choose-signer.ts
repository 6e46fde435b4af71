import { isHex, type LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { DeployWords } from '../deployment/options.ts'
import { openCastSigner } from './cast-signer.ts'
import { openKeystoreSigner } from './keystore-signer.ts'

/** The options of `npm run deploy` that name the signing account. */
export type SignerWords = Pick<DeployWords, 'keystore' | 'password-file' | 'ledger' | 'derivation-path'> &
  Partial<Pick<DeployWords, 'unsigned' | 'send'>>

/** Refuses a private key in the environment, unless the chain is local. @throws Error that lists the alternatives */
export function refuseKeyOfEnvironment({ local }: Pick<DeployWords, 'local'>, key: string | undefined): void {
  if (key === undefined || local) return
  throw new Error(
    'DEPLOYER_KEY is for local chains (--local) alone: a key in the environment is readable by other programs. Unset it, put ' +
      'the key into a keystore (`npx cast wallet import NAME --interactive`) and give --keystore FILE; or --ledger, or --unsigned FILE.',
  )
}

/**
 * Opens the account that signs: from a keystore, on a device, or on a local chain from a key in the environment.
 * @returns null if no such account is named
 * @throws Error if more than one account is named, or if the account cannot be opened
 */
export async function chooseSigner(words: SignerWords, key: string | undefined): Promise<LocalAccount | null> {
  const namedOptions = [
    words.keystore && '--keystore',
    words.ledger && '--ledger',
    words.unsigned && '--unsigned',
    words.send && '--send',
  ]
  const chosenOptions = namedOptions.filter((name) => typeof name === 'string')
  if (chosenOptions.length > 1) throw new Error(`Choose one of ${chosenOptions.join(' and ')}.`)
  if (words.keystore !== undefined) return openKeystoreSigner(words.keystore, words['password-file'])
  if (words.ledger) return openCastSigner(['--ledger', ...pathOf(words['derivation-path'])])
  if (key === undefined || chosenOptions.length > 0) return null
  if (!isHex(key) || key.length !== 66) throw new Error('DEPLOYER_KEY must be a private key: 0x and 64 hex digits.')
  return privateKeyToAccount(key)
}

function pathOf(path: string | undefined): string[] {
  return path === undefined ? [] : ['--mnemonic-derivation-path', path]
}
