import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, describe, expect, test } from 'vitest'
import { decryptKey, encryptKey, openKeystore, writeKeystore } from '../../../client/src/keystore/keystore.ts'

const directory = mkdtempSync(join(tmpdir(), 'task-market-keystore-'))
const key = `0x${'42'.repeat(32)}` as const
const cheap = { n: 1024 }

afterAll(() => rmSync(directory, { recursive: true }))

describe('A keystore', () => {
  test('given a key and a password, then only the password opens it', async () => {
    const text = await encryptKey(key, 'correct horse', { terms: cheap })
    expect(text).not.toContain(key.slice(2))
    expect(await decryptKey(text, 'correct horse')).toBe(key)
    await expect(decryptKey(text, 'correct horsf')).rejects.toThrow(/password is wrong/)
  })

  test('given a file that `cast wallet import` (1.7.1) wrote, then it opens', async () => {
    const text = JSON.stringify({
      crypto: {
        cipher: 'aes-128-ctr',
        cipherparams: { iv: 'c466a1f71489d0765d64c8170f40d1d4' },
        ciphertext: 'f396e187e6ea555307ffe549157297e92d2f60e610d4e3a372d19fb89576c8ec',
        kdf: 'scrypt',
        kdfparams: {
          dklen: 32,
          n: 8192,
          p: 1,
          r: 8,
          salt: 'd1b5f34b283de17af69144b1c625498e0b0ac7a4bf62f08cefea0087bd16bc7d',
        },
        mac: 'aa8394aac26c71beaf258b70e12fbfe75e05677be8d1bb75c203112dd79aa6a2',
      },
      id: '37b48677-1db0-4de2-8250-ec9bbf9ecd0d',
      version: 3,
    })
    expect(await decryptKey(text, 'testpassword')).toBe(key)
  })

  test('given a file with pbkdf2 (Web3 Secret Storage, its example), then it opens', async () => {
    const text = JSON.stringify({
      crypto: {
        cipher: 'aes-128-ctr',
        cipherparams: { iv: '6087dab2f9fdbbfaddc31a909735c1e6' },
        ciphertext: '5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46',
        kdf: 'pbkdf2',
        kdfparams: {
          c: 262144,
          dklen: 32,
          prf: 'hmac-sha256',
          salt: 'ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd',
        },
        mac: '517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2',
      },
      id: '3198bc9c-6672-5ab3-d995-4942343ae5b6',
      version: 3,
    })
    const expected = '0x7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d'
    expect(await decryptKey(text, 'testpassword')).toBe(expected)
    await expect(decryptKey(text, 'testpasswore')).rejects.toThrow(/password is wrong/)
    const file = JSON.parse(text)
    file.crypto.kdfparams.c = 2 ** 40
    await expect(decryptKey(JSON.stringify(file), 'testpassword')).rejects.toThrow(/out of bounds/)
  })

  test('given a file, then only its owner can read it, and it is never replaced', async () => {
    const path = join(directory, 'key.json')
    await writeKeystore(path, { privateKey: key, password: 'pw', terms: cheap })
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect((await openKeystore(path, 'pw')).address).toBe(privateKeyToAccount(key).address)
    await expect(writeKeystore(path, { privateKey: key, password: 'pw', terms: cheap })).rejects.toThrow(/exists/)
  })

  test('given no keystore, or one whose cost is out of bounds, then it is refused', async () => {
    const file = JSON.parse(await encryptKey(key, 'pw', { terms: cheap }))
    file.crypto.kdfparams.n = 2 ** 40
    for (const text of ['', '{}', 'null', JSON.stringify({ ...file, version: 1 }), JSON.stringify(file)]) {
      await expect(decryptKey(text, 'pw')).rejects.toThrow(/keystore/)
    }
  })
})
