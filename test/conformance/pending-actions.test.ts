import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { type Actor, anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'

const environment = openEnvironment()

interface Offer {
  action: string
  role: string
  eligibleAddress: string | null
  targetWorker: string | null
  paymentAmount: string | null
  requiresPayment: boolean
  command: string
  availableAfter: string | null
  availableUntil: string | null
}

async function offersOf(taskId: Hex): Promise<Offer[]> {
  return (await environment.get(`/tasks/${taskId}`)).body.pendingActions
}

/** Action, role, address and price of each offer. */
async function summaryOf(taskId: Hex) {
  const offers = await offersOf(taskId)
  return offers
    .map(({ action, role, eligibleAddress, paymentAmount }) => ({ action, role, eligibleAddress, paymentAmount }))
    .sort((a, b) => `${a.action} ${a.role}`.localeCompare(`${b.action} ${b.role}`))
}

function byRequester(requester: Actor, action: string) {
  return { action, role: 'requester', eligibleAddress: requester.account.address, paymentAmount: '1000' }
}

const submitByAnyWorker = { action: 'submit', role: 'worker', eligibleAddress: null, paymentAmount: null }

describe('pendingActions', () => {
  test('with an active submission: accept, accept_submissions and reject_submission instead of cancel', async () => {
    const [requester, alice] = [await environment.aWallet(), anActor()]
    const taskId = await environment.createTask(requester)
    await environment.submit(alice, taskId)
    expect(await summaryOf(taskId)).toEqual([
      byRequester(requester, 'accept'),
      byRequester(requester, 'accept_submissions'),
      byRequester(requester, 'reject_submission'),
      submitByAnyWorker,
      byRequester(requester, 'update'),
    ])
  })

  test('of a completed task: rate for each award without a rating, and none after the last', async () => {
    const [requester, alice, bob] = [await environment.aWallet(), anActor(), anActor()]
    const taskId = await environment.createTask(requester)
    await environment.submit(alice, taskId)
    await environment.submit(bob, taskId)
    await environment.split(requester, taskId, [
      [alice, 5000],
      [bob, 5000],
    ])
    expect(await offersOf(taskId)).toMatchObject([
      { ...byRequester(requester, 'rate'), targetWorker: alice.account.address },
      { ...byRequester(requester, 'rate'), targetWorker: bob.account.address },
    ])
    await environment.rate(requester, taskId, { worker: alice, rating: 60 })
    expect(await offersOf(taskId)).toMatchObject([{ action: 'rate', targetWorker: bob.account.address }])
    await environment.rate(requester, taskId, { worker: bob, rating: 60 })
    expect(await offersOf(taskId)).toEqual([])
  })

  test('has known values in the command, and placeholders for the others', async () => {
    const [requester, alice, bob] = [await environment.aWallet(), anActor(), anActor()]
    const taskId = await environment.createTask(requester)
    await environment.submit(alice, taskId)
    const commandsOf = async () =>
      Object.fromEntries((await offersOf(taskId)).map(({ action, command }) => [action, command]))
    const same = (address: string) => new RegExp(`^task accept ${taskId} --worker ${address}$`, 'i')
    const one = await commandsOf()
    expect(one.accept).toMatch(same(alice.address))
    expect(one.submit).toBe(`task submit ${taskId} --file <path>`)
    expect(one.accept_submissions).toMatch(
      /^task accept-submissions 0x[0-9a-f]{64} --winner \S+:<share>\[:<submissionId>\]$/,
    )
    expect(one.reject_submission).toMatch(
      new RegExp(`^task reject-submission ${taskId} --worker ${alice.address}$`, 'i'),
    )
    await environment.submit(bob, taskId)
    expect((await commandsOf()).accept).toBe(`task accept ${taskId} --worker <worker>`)
    await environment.accept(requester, taskId, bob)
    expect((await commandsOf()).rate).toMatch(
      new RegExp(`^task rate ${taskId} --worker ${bob.address} --rating <0-100>$`, 'i'),
    )
  })
})
