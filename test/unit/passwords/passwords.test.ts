import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSemaphore, Overloaded } from '../../../api/concurrency/semaphore.ts'
import { createPasswordHasher } from '../../../api/identity/password-hasher.ts'
import { countedScrypt, fastScrypt } from '../../support/fast-scrypt.ts'

describe('a password, by the real function', () => {
  const passwords = createPasswordHasher()

  test('given a stored text, then it matches no other password, names its parameters and does not contain the password; accents may be composed in either way, as keyboards do', async () => {
    const stored = await passwords.hash('caf\u00e9 cr\u00e8me')
    expect(stored).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[\w-]{22}\$[\w-]{43}$/)
    expect(await passwords.matches('cafe\u0301 cre\u0300me', stored)).toBe(true)
    expect(await passwords.matches('cafe creme', stored)).toBe(false)
  })
})

describe('a password, by the same function without its cost', () => {
  const passwords = createPasswordHasher(fastScrypt)

  test('given a text with the same bytes for scrypt, which fills a key with NUL, then it is another one', async () => {
    const stored = await passwords.hash('12345678')
    expect(await passwords.matches('12345678\0', stored)).toBe(false)
    expect(await passwords.matches('12345678', stored)).toBe(true)
    const replaced = await passwords.hash('1234567\ufffd')
    expect(await passwords.matches('1234567\ud800', replaced)).toBe(false)
    expect(await passwords.matches('1234567\ufffd', replaced)).toBe(true)
  })
})

test('given a password twice, then it is stored differently', async () => {
  const passwords = createPasswordHasher(countedScrypt().scrypt)
  expect(await passwords.hash('correct horse battery')).not.toBe(await passwords.hash('correct horse battery'))
})

describe('the work of a check', () => {
  test('given no stored hash, then it is the same', async () => {
    const { scrypt, costs } = countedScrypt()
    const passwords = createPasswordHasher(scrypt)
    const stored = await passwords.hash('password')
    costs.length = 0
    await passwords.matches('password', stored)
    await passwords.matches('Password', stored)
    expect(await passwords.matches('password', null)).toBe(false)
    expect(costs).toEqual(Array.from({ length: 3 }, () => ({ logN: 15, r: 8, p: 3 })))
  })

  test('given other parameters in the stored text, then it uses those', async () => {
    const { scrypt, costs } = countedScrypt()
    await createPasswordHasher(scrypt).matches('password', `$scrypt$ln=14,r=4,p=1$c2FsdA$${'A'.repeat(43)}`)
    expect(costs).toEqual([{ logN: 14, r: 4, p: 1 }])
  })

  test('given any texts, then they are distinguished', async () => {
    const passwords = createPasswordHasher(countedScrypt().scrypt)
    const text = fc.string({ unit: 'grapheme', minLength: 1 })
    await fc.assert(
      fc.asyncProperty(text, text, async (one, other) => {
        expect(await passwords.matches(other, await passwords.hash(one))).toBe(one === other)
      }),
    )
  })

  test.each(['', '$scrypt$', 'plain', '$argon2id$v=19$m=1$a$b'])(
    'given %j as stored text, then it is a broken row, not a wrong password',
    async (text) => {
      await expect(createPasswordHasher(countedScrypt().scrypt).matches('password', text)).rejects.toThrow(
        'cannot be read',
      )
    },
  )
})

describe('the limit of concurrent work', () => {
  /** Work that ends when it is told to. */
  function someWork() {
    const log: string[] = []
    const ends: (() => void)[] = []
    const work = (name: string) => () => {
      log.push(name)
      return new Promise<string>((resolve) => ends.push(() => resolve(name)))
    }
    return { log, ends, work }
  }

  test('given more work than the limit, then the rest waits, first come first served', async () => {
    const { log, ends, work } = someWork()
    const takeTurn = createSemaphore({ atOnce: 2, maxWaiting: 2, fact: 'Too much' })
    const all = ['a', 'b', 'c', 'd'].map((name) => takeTurn(work(name)))
    await expect(takeTurn(work('e'))).rejects.toThrow(new Overloaded('Too much'))
    expect(log).toEqual(['a', 'b'])
    ends[1]?.()
    expect(await all[1]).toBe('b')
    await Promise.resolve()
    expect(log).toEqual(['a', 'b', 'c'])
    ends[0]?.()
    await all[0]
    await Promise.resolve()
    expect(log).toEqual(['a', 'b', 'c', 'd'])
    for (const end of ends) end()
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd'])
  })

  test('given work that fails, then its slot is released', async () => {
    const takeTurn = createSemaphore({ atOnce: 1, maxWaiting: 1, fact: 'Too much' })
    const failing = takeTurn(() => Promise.reject(new Error('no')))
    const next = takeTurn(async () => 'next')
    await expect(failing).rejects.toThrow('no')
    expect(await next).toBe('next')
    expect(await takeTurn(async () => 'after')).toBe('after')
  })
})
