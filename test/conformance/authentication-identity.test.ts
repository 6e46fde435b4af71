import { concatHex, type Hex } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { localNetwork } from '../../scripts/contracts/network.ts'
import { type Actor, anActor, readHeadersOf } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'

const environment = openEnvironment()

/**
 * Code of a contract wallet (ERC-1271) that accepts its owner's signatures: `ecrecover` of the hash and the 65 bytes of
 * the signature, compared with the owner.
 */
function walletCode(owner: Actor): Hex {
  const hash = '0x600435600052'
  const v = '0x60a43560f81c602052'
  const r = '0x606435604052'
  const s = '0x608435606052'
  const recover = '0x602060006080600060015afa50'
  const isOwner = concatHex(['0x60005173', owner.address, '0x14'])
  const answerMagic = '0x631626ba7e60e01b0260005260206000f3'
  return concatHex([hash, v, r, s, recover, isOwner, answerMagic])
}

/** An account with code and without a private key. */
async function aContractWallet(code: Hex): Promise<Actor> {
  const wallet = anActor()
  await environment.chain.request('anvil_setCode', [wallet.address, code])
  return wallet
}

const claimOf = async (wallet: Actor, signer: Actor) => ({
  'X-Service-Caller-Address': wallet.address,
  'X-Service-Caller-Signature': await signer.account.signMessage({ message: `service:read:${wallet.address}` }),
})

describe('Authentication 5: read identity', () => {
  let requester: Actor
  let taskId: Hex
  beforeAll(async () => {
    requester = await environment.aWallet()
    taskId = await environment.createTask(requester, { submissionVisibility: 'never' })
    await environment.submit(anActor(), taskId)
  })

  test('is signed over the service’s message, which contains the lower-case address', async () => {
    const path = `/tasks/${taskId}/submissions`
    const sign = (message: string) => requester.account.signMessage({ message })
    const wrong = [
      await sign(`service:read:${requester.address.toUpperCase().replace('0X', '0x')}`),
      await sign(`service:read:${requester.address} `),
      await sign(`read:${requester.address}`),
      await sign(`service:device-register:${requester.address}`),
    ]
    for (const signature of wrong) {
      const headers = { ...(await readHeadersOf(requester)), 'X-Service-Caller-Signature': signature }
      expect(await environment.get(path, { headers })).toMatchObject({ status: 200, body: [] })
    }
  })

  test('with an expiry, is valid for this host and chain until the expiry, at most a day ahead', async () => {
    const path = `/tasks/${taskId}/submissions`
    const now = await environment.chain.headTime()
    const { host } = new URL(environment.baseUrl)
    const count = async (text: string, expires: bigint | string | null) => {
      const headers = {
        'X-Service-Caller-Address': requester.account.address,
        'X-Service-Caller-Signature': await requester.account.signMessage({ message: `service:read:${text}` }),
        ...(expires !== null && { 'X-Service-Read-Expires': String(expires) }),
      }
      const { status, body } = await environment.get(path, { headers })
      return status === 401 ? body.service.detail : [status, body.length]
    }
    const [end, tomorrow] = [now + 3600n, now + 86_000n]
    const textOf = (expires: bigint, at = host, chain = localNetwork.chainId) =>
      `${chain}:${at}:${requester.address}:${expires}`
    expect(await count(textOf(end), end)).toEqual([200, 1])
    expect(await count(textOf(tomorrow), tomorrow)).toEqual([200, 1])
    // An end that is none, is over or is too far ahead is told before the signature is looked at.
    expect(await count(textOf(now), now - 1n)).toBe('window_too_short')
    expect(await count(textOf(now + 87_000n), now + 87_000n)).toBe('window_too_long')
    for (const text of [`0${end}`, '']) expect(await count(textOf(end), text)).toBe('window_too_short')
    const wrong: [string, bigint | string | null][] = [
      [textOf(end), tomorrow],
      [textOf(end), null],
      [textOf(end, 'market.example'), end],
      [textOf(end, host, 1), end],
      // A signature without an expiry is not valid for a message with one.
      [requester.address, end],
    ]
    for (const [text, expires] of wrong) expect(await count(text, expires), `${text} ${expires}`).toEqual([200, 0])
  })
})

describe('Authentication 5: contract wallets', () => {
  /** A device is verified when the read identity of its wallet is. */
  const registersAs = async (wallet: Actor, signer: Actor) => {
    const body = { walletAddress: wallet.address }
    const answer = await environment.post('/devices', { body, headers: await claimOf(wallet, signer) })
    expect(answer.status).toBe(200)
    return answer.body.verified
  }

  test('verify the signature themselves', async () => {
    const owner = anActor()
    const wallet = await aContractWallet(walletCode(owner))
    expect(await registersAs(wallet, owner)).toBe(true)
    expect(await registersAs(wallet, anActor())).toBe(false)
  })

  test('may use at most 300,000 gas to verify', async () => {
    const answersAt = (memory: Hex) => concatHex(['0x6000', memory, '0x52', '0x631626ba7e60e01b60005260206000f3'])
    const [within, beyond] = [
      await aContractWallet(answersAt('0x610fff')),
      await aContractWallet(answersAt('0x6207ffff')),
    ]
    expect(await registersAs(within, anActor())).toBe(true)
    expect(await registersAs(beyond, anActor())).toBe(false)
  })
})
