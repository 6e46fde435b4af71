import { createCipheriv, createDecipheriv, randomBytes, randomUUID, scrypt, timingSafeEqual } from 'node:crypto'
import { open, readFile, unlink } from 'node:fs/promises'
import { type Hex, keccak256 } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

/** A private key under a password: the file of version 3 that wallets and `cast` use. */
interface KeystoreFile {
  version: 3
  id: string
  address: string
  crypto: {
    cipher: 'aes-128-ctr'
    cipherparams: { iv: string }
    ciphertext: string
    kdf: 'scrypt'
    kdfparams: { dklen: number; n: number; r: number; p: number; salt: string }
    mac: string
  }
}

/** The cost that wallets use; about a second. */
const cost = { n: 262_144, r: 8, p: 1 }
/** A file that needs more is refused: it would take the memory of this machine. Bytes. */
const MOST_MEMORY = 1024 * 1024 * 1024
/** What the derivation takes beside its blocks. Bytes. */
const MEMORY_MARGIN = 1024 * 1024

export class KeystoreError extends Error {
  override name = 'KeystoreError'
}

/** Encrypts a key. @param terms a lower cost, for tests */
export async function encryptKey(privateKey: Hex, password: string, terms: Partial<typeof cost> = {}): Promise<string> {
  const { n, r, p } = { ...cost, ...terms }
  const [salt, iv] = [randomBytes(32), randomBytes(16)]
  const derived = await derive(password, { n, r, p, salt })
  const cipher = createCipheriv('aes-128-ctr', derived.subarray(0, 16), iv)
  const ciphertext = Buffer.concat([cipher.update(Buffer.from(privateKey.slice(2), 'hex')), cipher.final()])
  const file: KeystoreFile = {
    version: 3,
    id: randomUUID(),
    address: privateKeyToAccount(privateKey).address.slice(2).toLowerCase(),
    crypto: {
      cipher: 'aes-128-ctr',
      cipherparams: { iv: iv.toString('hex') },
      ciphertext: ciphertext.toString('hex'),
      kdf: 'scrypt',
      kdfparams: { dklen: 32, n, r, p, salt: salt.toString('hex') },
      mac: macOf(derived, ciphertext),
    },
  }
  return JSON.stringify(file)
}

/** @throws KeystoreError when the file is no keystore, or the password is wrong */
export async function decryptKey(text: string, password: string): Promise<Hex> {
  const { crypto } = parse(text)
  const { n, r, p, salt } = crypto.kdfparams
  const derived = await derive(password, { n, r, p, salt: Buffer.from(salt, 'hex') })
  const ciphertext = Buffer.from(crypto.ciphertext, 'hex')
  const [mac, expected] = [Buffer.from(macOf(derived, ciphertext)), Buffer.from(crypto.mac.toLowerCase())]
  if (mac.length !== expected.length || !timingSafeEqual(mac, expected))
    throw new KeystoreError('The password is wrong.')
  const iv = Buffer.from(crypto.cipherparams.iv, 'hex')
  const decipher = createDecipheriv('aes-128-ctr', derived.subarray(0, 16), iv)
  const key = Buffer.concat([decipher.update(ciphertext), decipher.final()])
  if (key.length !== 32) throw new KeystoreError('The keystore has no key of 32 bytes.')
  return `0x${key.toString('hex')}`
}

/**
 * Writes a new keystore, readable by its owner only; an existing file is never replaced.
 * @param terms a lower cost, for tests
 * @throws KeystoreError
 */
export async function writeKeystore(
  path: string,
  { privateKey, password, terms = {} }: { privateKey: Hex; password: string; terms?: Partial<typeof cost> },
): Promise<void> {
  const file = await open(path, 'wx', 0o600).catch((cause) => {
    throw new KeystoreError(`${path} cannot be made: it exists, or its folder does not.`, { cause })
  })
  try {
    await file.writeFile(await encryptKey(privateKey, password, terms))
    await file.sync()
  } catch (error) {
    await unlink(path)
    throw error
  } finally {
    await file.close()
  }
}

/** The account of a keystore. @throws KeystoreError */
export async function openKeystore(path: string, password: string): Promise<PrivateKeyAccount> {
  const text = await readFile(path, 'utf8').catch((cause) => {
    throw new KeystoreError(`${path} cannot be read.`, { cause })
  })
  return privateKeyToAccount(await decryptKey(text, password))
}

function parse(text: string): KeystoreFile {
  try {
    const file = JSON.parse(text) as KeystoreFile
    const { cipher, kdf, kdfparams, mac, ciphertext, cipherparams } = file.crypto
    const isKnown = file.version === 3 && cipher === 'aes-128-ctr' && kdf === 'scrypt' && kdfparams.dklen === 32
    const isHex = [mac, ciphertext, cipherparams.iv, kdfparams.salt].every((value) => /^[0-9a-f]+$/i.test(value))
    if (isKnown && isHex) return file
  } catch {
    // Said below, whatever it is instead.
  }
  throw new KeystoreError('This is no keystore of version 3 with scrypt and aes-128-ctr.')
}

function derive(password: string, { n, r, p, salt }: typeof cost & { salt: Buffer }): Promise<Buffer> {
  const memory = 128 * r * (n + p)
  if (!(memory > 0 && memory <= MOST_MEMORY)) throw new KeystoreError('The cost of this keystore is out of bounds.')
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown) => reject(new KeystoreError('The key of this keystore cannot be derived.', { cause }))
    try {
      const limits = { N: n, r, p, maxmem: memory + MEMORY_MARGIN }
      scrypt(password, salt, 32, limits, (error, key) => (error === null ? resolve(key) : fail(error)))
    } catch (error) {
      fail(error)
    }
  })
}

function macOf(derived: Buffer, ciphertext: Buffer): string {
  return keccak256(Buffer.concat([derived.subarray(16, 32), ciphertext])).slice(2)
}
