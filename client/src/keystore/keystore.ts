import { pbkdf2, randomBytes, scrypt } from 'node:crypto'
import { open, readFile, unlink } from 'node:fs/promises'
import { decrypt, encrypt, type Keystore, type Pbkdf2DeriveOpts, type ScryptDeriveOpts } from 'ox/Keystore'
import type { Hex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { Deployment } from '../deployment/deployment.ts'

/**
 * The scrypt parameters of new keystores. Other wallets use the same parameters. The derivation of a key takes about a
 * second.
 */
const cost = { n: 262_144, r: 8, p: 1 }
/**
 * The maximum memory in bytes for one key derivation. A keystore that needs more memory is refused, because the
 * derivation could exhaust this machine.
 */
const MOST_MEMORY = 1024 * 1024 * 1024
/** The maximum number of pbkdf2 rounds, which take about ten seconds. A keystore with more rounds is refused. */
const MOST_ROUNDS = 10_000_000
/** The number of characters of a private key in hex: 0x and 64 digits. */
const KEY_LENGTH = 66
/** The memory in bytes that scrypt needs in addition to its blocks. */
const MEMORY_MARGIN = 1024 * 1024

export class KeystoreError extends Error {
  override name = 'KeystoreError'
}

/** The deployment for which a key was made; null if the deployment is unknown. */
export type MadeFor = Pick<Deployment, 'chainId' | 'market' | 'local'> | null

/**
 * Encrypts a private key and returns the JSON text of a keystore (version 3, scrypt).
 * @param options `terms` replaces scrypt parameters, so that tests run faster; `madeFor` is stored in the keystore
 * @example const text = await encryptKey('0xac09...ff80', 'correct horse battery')
 */
export async function encryptKey(
  privateKey: Hex,
  password: string,
  { terms = {}, madeFor = null }: { terms?: Partial<typeof cost>; madeFor?: MadeFor } = {},
): Promise<string> {
  const salt = randomBytes(32).toString('hex')
  const kdfparams = { dklen: 32, ...cost, ...terms, salt }
  const key = await deriveByScrypt(password, kdfparams)
  const keystore = encrypt(privateKey, key, { kdf: 'scrypt', kdfparams, iv: randomBytes(16) })
  const address = privateKeyToAccount(privateKey).address.slice(2).toLowerCase()
  return JSON.stringify({ ...keystore, address, ...(madeFor !== null && { deployment: madeFor }) })
}

/**
 * Decrypts the private key in a keystore's JSON text.
 * @throws KeystoreError when the text is not a keystore, or the password is wrong
 */
export async function decryptKey(text: string, password: string): Promise<Hex> {
  const { keystore, derive } = parse(text)
  const privateKey = decryptWith(keystore, await derive(password))
  if (privateKey.length !== KEY_LENGTH) throw new KeystoreError('The keystore has no key of 32 bytes.')
  return privateKey
}

function decryptWith(keystore: Keystore, key: Hex): Hex {
  try {
    return decrypt(keystore, key)
  } catch (cause) {
    // The form of the file is valid, so only the check of the password can fail.
    throw new KeystoreError('The password is wrong.', { cause })
  }
}

/**
 * Writes a new keystore file that only its owner can read. Never replaces an existing file.
 * @throws KeystoreError
 * @example await writeKeystore('/home/me/wallet.json', { privateKey: '0xac09...ff80', password: 'correct horse' })
 */
export async function writeKeystore(
  path: string,
  { privateKey, password, ...options }: { privateKey: Hex; password: string } & Parameters<typeof encryptKey>[2],
): Promise<void> {
  const file = await open(path, 'wx', 0o600).catch((cause) => {
    throw new KeystoreError(`${path} cannot be made: it exists, or its folder does not.`, { cause })
  })
  try {
    await file.writeFile(await encryptKey(privateKey, password, options))
    await file.sync()
  } catch (error) {
    await unlink(path)
    throw error
  } finally {
    await file.close()
  }
}

/**
 * Decrypts the keystore at `path` and returns its account.
 * @throws KeystoreError
 * @example const account = await openKeystore('/home/me/wallet.json', 'correct horse battery')
 */
export async function openKeystore(path: string, password: string): Promise<PrivateKeyAccount> {
  return privateKeyToAccount(await decryptKey(await readKeystoreFile(path), password))
}

/**
 * Reads the deployment for which the keystore at `path` was made; null if the file names none. The value is returned
 * unchecked.
 * @throws KeystoreError
 */
export async function readMadeFor(path: string): Promise<unknown> {
  try {
    return (JSON.parse(await readKeystoreFile(path)) as { deployment?: unknown } | null)?.deployment ?? null
  } catch (error) {
    if (error instanceof KeystoreError) throw error
    throw notAKeystore()
  }
}

async function readKeystoreFile(path: string): Promise<string> {
  return await readFile(path, 'utf8').catch((cause) => {
    throw new KeystoreError(`${path} cannot be read.`, { cause })
  })
}

function notAKeystore(): KeystoreError {
  return new KeystoreError('This is no keystore of version 3 with scrypt or pbkdf2 (hmac-sha256), and aes-128-ctr.')
}

/**
 * Parses a keystore of version 3, in the format that wallets, geth and `cast` write. Also returns a function that
 * derives the cipher's key from a password.
 */
function parse(text: string): { keystore: Keystore; derive: (password: string) => Promise<Hex> } {
  try {
    const keystore = JSON.parse(text) as Keystore
    const { cipher, kdf, kdfparams, mac, ciphertext, cipherparams } = keystore.crypto
    const isKnown = keystore.version === 3 && cipher === 'aes-128-ctr' && kdfparams.dklen === 32
    const texts = [ciphertext, kdfparams.salt]
    const isHex = texts.every((text) => isHexText(text)) && isHexText(mac, 64) && isHexText(cipherparams.iv, 32)
    if (isKnown && isHex) {
      if (kdf === 'scrypt' && 'n' in kdfparams)
        return { keystore, derive: (password) => deriveByScrypt(password, kdfparams) }
      if (kdf === 'pbkdf2' && 'c' in kdfparams && kdfparams.prf === 'hmac-sha256')
        return { keystore, derive: (password) => deriveByPbkdf2(password, kdfparams) }
    }
  } catch {
    // The error below covers every other text.
  }
  throw notAKeystore()
}

/** Reports whether the text consists of whole bytes in hex, and has the given number of characters. */
function isHexText(text: string, length = text.length): boolean {
  return /^([0-9a-f]{2})+$/i.test(text) && text.length === length
}

type OnKey = (error: Error | null, key: Buffer) => void

/** Derives the cipher's key with Node's scrypt, which does not block the event loop. */
function deriveByScrypt(password: string, { n, r, p, salt }: ScryptDeriveOpts['kdfparams']): Promise<Hex> {
  const memory = 128 * r * (n + p)
  if (!(memory > 0 && memory <= MOST_MEMORY)) throw outOfBounds()
  const limits = { N: n, r, p, maxmem: memory + MEMORY_MARGIN }
  return toKey((onKey) => scrypt(password, Buffer.from(salt, 'hex'), 32, limits, onKey))
}

function deriveByPbkdf2(password: string, { c, salt }: Pbkdf2DeriveOpts['kdfparams']): Promise<Hex> {
  if (!(c > 0 && c <= MOST_ROUNDS)) throw outOfBounds()
  return toKey((onKey) => pbkdf2(password, Buffer.from(salt, 'hex'), c, 32, 'sha256', onKey))
}

function outOfBounds(): KeystoreError {
  return new KeystoreError('The cost of this keystore is out of bounds.')
}

function toKey(derive: (onKey: OnKey) => void): Promise<Hex> {
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown) => reject(new KeystoreError('The key of this keystore cannot be derived.', { cause }))
    try {
      derive((error, key) => (error === null ? resolve(`0x${key.toString('hex')}`) : fail(error)))
    } catch (error) {
      fail(error)
    }
  })
}
