import { describe, expect, inject, test } from 'vitest'
import type { ContractCall } from '../../protocol/relay.ts'
import { aClient } from '../support/client/wallets.ts'
import { openEnvironment } from '../support/conformance.ts'

const environment = openEnvironment()
const aTask = { description: 'Write a haiku about escrow', reward: '2000000', duration: 24, tags: ['haiku'] }

/** The deployment file of before bound payments. */
function plainDeployment() {
  const { bound, ...plain } = inject('conformanceStack').deployment
  expect(bound).toBe(true)
  return plain
}

describe('A wallet that takes bound calls alone', () => {
  test('given its switch is on, then its bound writes complete, its plain ones are refused, and off ends that', async () => {
    const wallet = await environment.aWallet()
    const [bound, plain] = [aClient(wallet), aClient(wallet, { deployment: plainDeployment() })]
    expect(await plain.write('createTask', aTask)).toMatchObject({ kind: 'completed', paid: 2_000_000n })
    expect(await bound.write('setBoundOnly', { boundOnly: true })).toMatchObject({ kind: 'completed' })
    const money = await environment.chain.watch({ wallet: wallet.address })
    expect(await plain.write('createTask', aTask)).toMatchObject({
      kind: 'refused',
      error: { service: { detail: 'bound_only' } },
    })
    expect(await money.changes()).toEqual({ wallet: 0n })
    expect(await bound.write('createTask', aTask)).toMatchObject({ kind: 'completed', paid: 2_000_000n })
    expect(await bound.write('setBoundOnly', { boundOnly: false })).toMatchObject({ kind: 'completed' })
    expect(await plain.write('createTask', aTask)).toMatchObject({ kind: 'completed', paid: 2_000_000n })
  })
})

describe('A free claim by the client', () => {
  test('given the wallet takes bound calls alone, then its text is bound to the call, and the forwarder takes it', async () => {
    const [requester, worker] = [await environment.aWallet(), await environment.aWallet()]
    const created = await aClient(requester).write('createTask', { ...aTask, mode: 'claim' })
    if (created.kind !== 'completed' || created.taskId === null) throw new Error(JSON.stringify(created))
    const client = aClient(worker)
    expect(await client.write('setBoundOnly', { boundOnly: true })).toMatchObject({ kind: 'completed' })
    const claim = { taskId: created.taskId }
    expect(await client.write('createClaim', claim)).toMatchObject({ kind: 'completed', paid: 0n })
    const artifacts = [{ fileName: 'a.txt', mimeType: 'text/plain', file: Buffer.from('Agora').toString('base64') }]
    expect(await client.write('createSubmission', { ...claim, artifacts })).toMatchObject({ kind: 'completed' })
  })
})

describe('An acceptance whose facts change', () => {
  test('given a newer submission since the dry run, then the person is shown it, and it is what is accepted', async () => {
    const [requester, worker] = [await environment.aWallet(), await environment.aWallet()]
    const taskId = await environment.createTask(requester)
    await environment.submit(worker, taskId)
    const [input, client] = [{ taskId, worker: worker.address }, aClient(requester)]
    const agreed = await client.preview('acceptSubmission', input)
    if (agreed.kind !== 'preview') throw new Error(JSON.stringify(agreed))
    await environment.submit(worker, taskId)
    expect(await client.write('acceptSubmission', input, { agreed })).toMatchObject({ reason: 'facts_changed' })
    const shown: ContractCall[] = []
    const decideAgain = async (call: ContractCall) => shown.push(call) > 0
    expect(await client.write('acceptSubmission', input, { agreed, decideAgain })).toMatchObject({ kind: 'completed' })
    expect(shown).toHaveLength(1)
    expect(shown[0]?.data).not.toBe(agreed.call?.data)
  })
})
