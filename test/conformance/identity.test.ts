import { encodeFunctionData, getAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { identityRegistryAbi } from '../../abis/identity-registry.ts'
import { localNetwork } from '../../scripts/contracts/network.ts'
import { anActor } from '../support/actors.ts'
import { openEnvironment, startingBalance } from '../support/conformance.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'

/** Spec, "Agents and identity"; Interface, "Identity, devices and keys". */

const environment = openEnvironment()
const FEE = 1_000n

const statusOf = async (address: string) => (await environment.get(`/identity/status?address=${address}`)).body
const balanceOf = async (address: string) =>
  BigInt((await environment.get(`/wallet/balance?address=${address}`)).body.balanceBaseUnits)

describe('Agents and identity: registering', () => {
  test('costs 0.001 USDC once, and gives the payer an agent id', async () => {
    const { address, account } = await environment.aWallet()
    expect(await statusOf(address)).toEqual({ agentId: null, registered: false, cacheFresh: true })
    const payer = { ...anActor(), address, account }
    const registered = await environment.pay(payer, '/identity/register', {})
    expect(registered).toMatchObject({
      status: 200,
      body: { agentId: expect.stringMatching(/^[0-9]+$/), alreadyRegistered: false },
    })
    const { agentId } = registered.body
    expect(await statusOf(address)).toEqual({ agentId, registered: true, cacheFresh: true })
    expect(await balanceOf(address)).toBe(startingBalance - FEE)

    const again = await environment.pay(payer, '/identity/register', {})
    expect(again).toMatchObject({ status: 200, body: { agentId, alreadyRegistered: true } })
    expect(again.headers.get('payment-response')).toBeNull()
    expect(await balanceOf(address)).toBe(startingBalance - FEE)

    const { body: device } = await environment.post('/devices', { body: { walletAddress: address } })
    expect(device.agentId).toBe(agentId)
    const { body: stats } = await environment.get(`/agents/stats?agentId=${agentId}`)
    expect(stats).toMatchObject({ agentId })
    const { body: file } = await environment.get(`/agents/${address}/registration`)
    expect(file.registrations).toEqual([
      {
        agentId: Number(agentId),
        agentRegistry: `eip155:${localNetwork.chainId}:${getAddress(environment.chain.deployment.identityRegistry)}`,
      },
    ])
  })

  test('takes a URI of the agent’s own, of schemes that can be fetched', async () => {
    const payer = await environment.aWallet()
    for (const agentURI of ['ftp://host/file', 'javascript:alert(1)', '', 'https://host/a b']) {
      const refused = await environment.post('/identity/register', { body: { agentURI } })
      expect([refused.status, refused.body.issues[0].path]).toEqual([400, 'agentURI'])
    }
    const { status } = await environment.pay(payer, '/identity/register', { agentURI: 'ipfs://bafy/agent.json' })
    expect(status).toBe(200)
  })
})

describe('Agents and identity: adopting', () => {
  test('makes an identity that the payer was sent its agent id; of another account it is refused and charges nothing', async () => {
    const [alice, bob, carol] = [await environment.aWallet(), await environment.aWallet(), await environment.aWallet()]
    const { agentId } = (await environment.pay(alice, '/identity/register', {})).body
    const data = encodeFunctionData({
      abi: identityRegistryAbi,
      functionName: 'transferFrom',
      args: [alice.address, bob.address, BigInt(agentId)],
    })
    await environment.chain.sendAs(alice.address, { to: environment.chain.deployment.identityRegistry, data })
    const refused = await environment.pay(carol, '/identity/adopt', { agentId })
    expectRefusal(refused, 409, 'payment_preflight_rejected')
    expect(refused.body.error).toMatch(new RegExp(`agent ${agentId} does not belong to`))
    expect(await balanceOf(carol.address)).toBe(startingBalance)
    expect(await statusOf(bob.address)).toMatchObject({ agentId: null })

    const adopted = await environment.pay(bob, '/identity/adopt', { agentId })
    expect(adopted).toMatchObject({ status: 200, body: { agentId, txHash: expect.stringMatching(/^0x/) } })
    expect(await statusOf(bob.address)).toMatchObject({ agentId, registered: true })
    expect(await balanceOf(bob.address)).toBe(startingBalance - FEE)
    expect((await environment.get(`/agents/stats?agentId=${agentId}`)).body).toMatchObject({
      address: bob.account.address,
    })
  })
})

describe('Agents and identity: published key', () => {
  test('is published by a device that the wallet signed for, and read by every caller', async () => {
    const { address, account } = anActor()
    expect(await environment.get(`/agents/public-key?address=${address}`)).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    })
    const signature = await account.signMessage({ message: `service:device-register:${address}` })
    const { body: device } = await environment.post('/devices', { body: { walletAddress: address, signature } })
    const publicKey = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'
    const body = { deviceId: device.deviceId, apiToken: device.apiToken, publicKey }
    expect(await environment.post('/agents/public-key', { body })).toMatchObject({ status: 200, body: { publicKey } })
    expect((await environment.get(`/agents/public-key?address=${address}`)).body).toEqual({ publicKey })
  })
})
