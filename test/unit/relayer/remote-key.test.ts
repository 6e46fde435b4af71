import { secp256k1 } from '@noble/curves/secp256k1'
import type { Hex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import type { RawSignature } from '../../../api/relayer/signers/assemble-signed.ts'
import { createRemoteRelayer, type OnSignerChange } from '../../../api/relayer/signers/remote-key.ts'
import { openWeb3signer } from '../../../api/relayer/signers/web3signer.ts'
import { parseSignerUrl } from '../../../settings/signer-urls.ts'
import { serveWeb3signer } from '../../support/signers/web3signer-server.ts'

const key: Hex = `0x${'66'.repeat(32)}`
const address = privateKeyToAddress(key).toLowerCase() as Hex
const aTransaction = {
  chainId: 8453,
  to: address,
  data: '0x',
  nonce: 0,
  gas: 21_000n,
  maxFeePerGas: 2n,
  maxPriorityFeePerGas: 1n,
} as const

/** A relayer whose signer does what `sign` does, on a clock of its own. */
function aRelayer(sign: (digest: Hex) => RawSignature) {
  const changes: Parameters<OnSignerChange>[0][] = []
  const clock = { now: 0 }
  let asked = 0
  const relayer = createRemoteRelayer(
    {
      kind: 'web3signer',
      address,
      requestSignature: async ({ digest }) => {
        asked += 1
        return sign(digest)
      },
    },
    { onChange: (change) => changes.push(change), now: () => clock.now },
  )
  return { relayer, changes, clock, asked: () => asked }
}

const right = (digest: Hex): RawSignature => secp256k1.sign(digest.slice(2), key.slice(2))
const ofAnother = (digest: Hex): RawSignature => secp256k1.sign(digest.slice(2), '77'.repeat(32))
const ofAnotherDigest = (): RawSignature => secp256k1.sign('88'.repeat(32), key.slice(2))

describe('a signature that comes back', () => {
  it.each<[string, (digest: Hex) => RawSignature]>([
    ['of another account', ofAnother],
    ['of another digest', ofAnotherDigest],
    ['with r = 0', (digest) => ({ ...right(digest), r: 0n })],
    ['with s above the order', (digest) => ({ ...right(digest), s: secp256k1.CURVE.n + 1n })],
  ])('given one %s, then it is refused', async (_, sign) => {
    const { relayer } = aRelayer(sign)
    await expect(relayer.sign(aTransaction)).rejects.toThrow(`the signature is not of ${address}`)
  })
})

describe('a signer that fails', () => {
  it('given failures in a row, then it is left alone for twice as long each time, half a minute at most', async () => {
    const { relayer, changes, clock, asked } = aRelayer(ofAnother)
    for (let failure = 0; failure < 7; failure += 1) {
      await expect(relayer.sign(aTransaction)).rejects.toThrow()
      clock.now += changes.at(-1)?.pauseMs ?? 0
    }
    expect(changes.map(({ pauseMs }) => pauseMs)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
    expect(asked()).toBe(7)
  })

  it('given it is left alone, then it is not asked; given it signs again, then its pauses begin anew', async () => {
    let isBroken = true
    const { relayer, changes, clock, asked } = aRelayer((digest) => (isBroken ? ofAnother : right)(digest))
    await expect(relayer.sign(aTransaction)).rejects.toThrow()
    expect([relayer.isReady(), relayer.failures()]).toEqual([false, 1])
    await expect(relayer.sign(aTransaction)).rejects.toThrow('failed a moment ago')
    expect(asked()).toBe(1)
    clock.now = 1_000
    isBroken = false
    expect(relayer.isReady()).toBe(true)
    await relayer.sign(aTransaction)
    isBroken = true
    await expect(relayer.sign(aTransaction)).rejects.toThrow()
    expect(changes.map(({ pauseMs }) => pauseMs)).toEqual([1_000, null, 1_000])
  })

  it('given one that does not answer, then it is given up at the time limit', async () => {
    const server = await serveWeb3signer([key])
    const place = parseSignerUrl(`web3signer:${server.url}/${address}`)
    if (place?.kind !== 'web3signer') throw new Error('it is a web3signer')
    const remote = await openWeb3signer(place, AbortSignal.timeout(5_000))
    server.setMode('hangs')
    const relayer = createRemoteRelayer(remote, { onChange: () => {}, timeoutMs: 20 })
    await expect(relayer.sign(aTransaction)).rejects.toThrow('web3signer did not answer in time')
    await server.stop()
  })
})
