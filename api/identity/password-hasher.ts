import { randomBytes, scrypt as scryptOfNode, timingSafeEqual } from 'node:crypto'
import { createSemaphore } from '../concurrency/semaphore.ts'

/** Slow, salted hashes of passwords. However many ask, few are worked on at a time. */
export interface PasswordHasher {
  /**
   * `$scrypt$ln=<log2 N>,r=<r>,p=<p>$<salt>$<hash>`, base64url: what is stored of a password.
   * @throws Overloaded
   */
  hash(password: string): Promise<string>
  /**
   * Whether this is the password behind a stored hash, which no password with NUL or a lone surrogate has. Without a hash
   * the same work is done in vain, so that the time the answer takes does not tell whether there is one.
   * @throws Overloaded
   */
  matches(password: string, stored: string | null): Promise<boolean>
}

/** How much work one hash is: N = 2^`logN` blocks of 128 * `r` bytes, `p` times. */
export interface ScryptCost {
  logN: number
  r: number
  p: number
}

/** Derives 32 bytes. */
export type Scrypt = (password: string, salt: Buffer, cost: ScryptCost) => Promise<Buffer>

/** A quarter of a second of one core, and 32 MB while it lasts: as slow as a visitor bears. */
const COST: ScryptCost = { logN: 15, r: 8, p: 3 }
const KEY_BYTES = 32
const SALT_BYTES = 16
/** Of the four threads that files and look-ups share with this, and how many requests may wait for their turn. */
const CONCURRENCY = 2
const MAX_WAITING = 32
const BUSY = 'The service looks at too many passwords now'

/** scrypt fills a short key with NUL, and UTF-8 has no lone surrogates: texts with either have the hash of another text. */
const AMBIGUOUS = /[\0\p{Cs}]/u

/** The hash of nothing: what a password is compared with where there is none. */
const NOBODYS_SALT = Buffer.alloc(SALT_BYTES)
const NOBODYS_HASH = Buffer.alloc(KEY_BYTES)

/** @param scrypt what derives the keys; Node's unless given */
export function createPasswordHasher(scrypt: Scrypt = nodeScrypt): PasswordHasher {
  const takeTurn = createSemaphore({ atOnce: CONCURRENCY, maxWaiting: MAX_WAITING, fact: BUSY })
  return {
    hash: async (password) => {
      const salt = randomBytes(SALT_BYTES)
      return toText({ cost: COST, salt, hash: await takeTurn(() => scrypt(password, salt, COST)) })
    },
    matches: async (password, stored) => {
      const known = stored === null ? null : parseText(stored)
      const { cost, salt, hash } = known ?? { cost: COST, salt: NOBODYS_SALT, hash: NOBODYS_HASH }
      const derived = await takeTurn(() => scrypt(password, salt, cost))
      return timingSafeEqual(derived, hash) && known !== null && !AMBIGUOUS.test(password)
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

/** @throws Error when the text is none that `toText` made */
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
  // Node refuses what needs more than it is told to expect: the blocks, and some.
  const maxmem = 128 * r * (cost + p + 2)
  return new Promise((resolve, reject) => {
    // Composed: the same characters are the same password, however a keyboard makes them.
    scryptOfNode(
      password.normalize('NFC'),
      salt,
      KEY_BYTES,
      { cost, blockSize: r, parallelization: p, maxmem },
      (error, key) => (error === null ? resolve(key) : reject(error)),
    )
  })
}
