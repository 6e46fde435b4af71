import { randomBytes, scrypt as scryptOfNode, timingSafeEqual } from 'node:crypto'
import { createSemaphore } from '../concurrency/semaphore.ts'

/** Slow, salted hashes of passwords, computed few at a time. */
export interface PasswordHasher {
  /**
   * Returns the stored form of a password: `$scrypt$ln=<log2 N>,r=<r>,p=<p>$<salt>$<hash>`, base64url.
   * @throws Overloaded
   */
  hash(password: string): Promise<string>
  /**
   * Returns true if the password matches a stored hash; one with NUL or a lone surrogate matches none. Without a hash
   * the same work is done, so the duration does not disclose if one exists.
   * @throws Overloaded
   */
  matches(password: string, stored: string | null): Promise<boolean>
}

/** The cost of one hash: N = 2^`logN` blocks of 128 * `r` bytes, `p` times. */
export interface ScryptCost {
  logN: number
  r: number
  p: number
}

/** Derives 32 bytes. */
export type Scrypt = (password: string, salt: Buffer, cost: ScryptCost) => Promise<Buffer>

/** A quarter of a second of one core, and 32 MB meanwhile: as slow as a visitor tolerates. */
const COST: ScryptCost = { logN: 15, r: 8, p: 3 }
const KEY_BYTES = 32
const SALT_BYTES = 16
/** The hashes computed at once, of four threads shared with files and DNS, and the requests that may wait. */
const CONCURRENCY = 2
const MAX_WAITING = 32
const BUSY = 'The service looks at too many passwords now'

/**
 * The characters that make two texts have one hash: scrypt pads short keys with NUL, and UTF-8 has no lone surrogates.
 */
const AMBIGUOUS = /[\0\p{Cs}]/u

/** The salt and hash to compare with when no password is set. */
const NOBODYS_SALT = Buffer.alloc(SALT_BYTES)
const NOBODYS_HASH = Buffer.alloc(KEY_BYTES)

/** Creates a password hasher. @param scrypt derives the keys; by default Node's */
export function createPasswordHasher(scrypt: Scrypt = nodeScrypt): PasswordHasher {
  const takeTurn = createSemaphore({ atOnce: CONCURRENCY, maxWaiting: MAX_WAITING, fact: BUSY })
  return {
    hash: async (password) => {
      const salt = randomBytes(SALT_BYTES)
      return toText({ cost: COST, salt, hash: await takeTurn(() => scrypt(password, salt, COST)) })
    },
    matches: async (password, stored) => {
      const storedHash = stored === null ? null : parseText(stored)
      const { cost, salt, hash } = storedHash ?? { cost: COST, salt: NOBODYS_SALT, hash: NOBODYS_HASH }
      const derived = await takeTurn(() => scrypt(password, salt, cost))
      return timingSafeEqual(derived, hash) && storedHash !== null && !AMBIGUOUS.test(password)
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

/** Parses a stored hash. @throws Error for a text that `toText` did not create */
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
