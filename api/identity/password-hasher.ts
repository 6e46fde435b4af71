import { randomBytes, scrypt as scryptOfNode, timingSafeEqual } from 'node:crypto'
import { createSemaphore } from '../concurrency/semaphore.ts'

/** Computes slow, salted hashes of passwords. Only a few hashes are computed at the same time. */
export interface PasswordHasher {
  /**
   * Returns the stored form of a password: `$scrypt$ln=<log2 N>,r=<r>,p=<p>$<salt>$<hash>`. Salt and hash are
   * base64url.
   * @throws Overloaded
   */
  hash(password: string): Promise<string>
  /**
   * Returns true if the password matches a stored hash. A password with NUL or a lone surrogate never matches. If
   * `storedText` is null, the result is false after the same work, so the duration does not disclose that no hash is
   * stored.
   * @throws Overloaded
   */
  matches(password: string, storedText: string | null): Promise<boolean>
}

/** The cost of one hash: scrypt with N = 2^`logN`, block size `r` (128 * `r` bytes) and parallelization `p`. */
export interface ScryptCost {
  logN: number
  r: number
  p: number
}

/** Derives 32 bytes from a password. */
export type Scrypt = (password: string, salt: Buffer, cost: ScryptCost) => Promise<Buffer>

/**
 * The cost of a new hash. It takes a quarter of a second on one core and 32 MB of memory. A visitor who sends a
 * password waits for one hash.
 */
const COST: ScryptCost = { logN: 15, r: 8, p: 3 }
const KEY_BYTES = 32
const SALT_BYTES = 16
/**
 * The number of hashes that are computed at the same time. Node has four threads for file access, DNS and hashing, and
 * the hashes use at most two of them. `MAX_WAITING`: the number of further hashes that may wait.
 */
const CONCURRENCY = 2
const MAX_WAITING = 32
const BUSY = 'The service looks at too many passwords now'

/**
 * Matches characters that must not stand in a password: NUL, which scrypt uses as padding, and lone surrogates. Two
 * different passwords that contain such characters can have the same hash.
 */
const AMBIGUOUS = /[\0\p{Cs}]/u

/** The salt and the hash that a password is compared with if no hash is stored. */
const NOBODYS_SALT = Buffer.alloc(SALT_BYTES)
const NOBODYS_HASH = Buffer.alloc(KEY_BYTES)

/**
 * Creates a password hasher.
 * @param scrypt derives the keys; by default Node's implementation
 */
export function createPasswordHasher(scrypt: Scrypt = nodeScrypt): PasswordHasher {
  const takeTurn = createSemaphore({ atOnce: CONCURRENCY, maxWaiting: MAX_WAITING, fact: BUSY })
  return {
    hash: async (password) => {
      const salt = randomBytes(SALT_BYTES)
      return toText({ cost: COST, salt, hash: await takeTurn(() => scrypt(password, salt, COST)) })
    },
    matches: async (password, storedText) => {
      const storedHash = storedText === null ? null : parseText(storedText)
      const { cost, salt, hash } = storedHash ?? { cost: COST, salt: NOBODYS_SALT, hash: NOBODYS_HASH }
      const derivedKey = await takeTurn(() => scrypt(password, salt, cost))
      return timingSafeEqual(derivedKey, hash) && storedHash !== null && !AMBIGUOUS.test(password)
    },
  }
}

interface StoredHash {
  cost: ScryptCost
  salt: Buffer
  hash: Buffer
}

function toText({ cost: { logN, r, p }, salt, hash }: StoredHash): string {
  return `$scrypt$ln=${logN},r=${r},p=${p}$${salt.toString('base64url')}$${hash.toString('base64url')}`
}

/**
 * Parses a stored hash.
 * @throws Error if `toText` did not create the text
 */
function parseText(text: string): StoredHash {
  const [, logN, r, p, salt, hash] =
    /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w-]+)\$([\w-]{43})$/.exec(text) ?? []
  if (salt === undefined || hash === undefined) throw new Error('a stored password hash cannot be read')
  return {
    cost: { logN: Number(logN), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64url'),
    hash: Buffer.from(hash, 'base64url'),
  }
}

const nodeScrypt: Scrypt = (password, salt, { logN, r, p }) => {
  const cost = 2 ** logN
  // Node refuses a cost above this bound: the blocks and some working memory.
  const maxmem = 128 * r * (cost + p + 2)
  return new Promise((resolve, reject) => {
    // NFC makes the same characters the same password on every keyboard.
    scryptOfNode(
      password.normalize('NFC'),
      salt,
      KEY_BYTES,
      { cost, blockSize: r, parallelization: p, maxmem },
      (error, key) => (error === null ? resolve(key) : reject(error)),
    )
  })
}
