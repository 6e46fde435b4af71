import { getAddress } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { aClaimBody, aClaimTask, aSubmissionBody, aTaskBody } from '../support/conformance-fixtures.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'
import { deployExampleHook } from '../support/example-hooks.ts'

/** Spec, "Create task": hookContract; Interface, "Tasks": hookContracts. With the hooks of contracts/examples. */

const environment = openEnvironment()
const alice = anActor()
let tagHook: `0x${string}`
let listHook: `0x${string}`

beforeAll(async () => {
  tagHook = await deployExampleHook(environment.chain, 'RequiredTagHook', [['solidity']])
  listHook = await deployExampleHook(environment.chain, 'AllowListHook', [alice.address, [alice.address]])
})

const tagged = () => ({ tags: ['solidity'], hookContract: tagHook })

describe('A task with hooks', () => {
  test('that the hook refuses is refused with a sentence, and nothing is charged', async () => {
    const requester = await environment.aWallet()
    const money = await environment.chain.watch({ requester: requester.address })
    const body = aTaskBody({ ...tagged(), tags: ['poem'] })
    const { error } = expectRefusal(await environment.pay(requester, '/tasks', body), 409, 'payment_preflight_rejected')
    expect(error).toContain(`the hook ${getAddress(tagHook)} refused in checkFund`)
    expect(await money.changes()).toEqual({ requester: 0n })
  })

  test('whose hook contract is not a hook is refused with a sentence, and nothing is charged', async () => {
    const requester = await environment.aWallet()
    const money = await environment.chain.watch({ requester: requester.address })
    for (const hookContract of [anActor().account.address, getAddress(environment.chain.deployment.usdc)]) {
      const answer = await environment.pay(requester, '/tasks', aTaskBody({ hookContract }))
      expect(expectRefusal(answer, 409, 'payment_preflight_rejected').error).toContain(`${hookContract} is no hook`)
    }
    expect(await money.changes()).toEqual({ requester: 0n })
  })

  test('with a hook that excludes workers: claim and submission are refused before anything is written', async () => {
    const [requester, bob] = [await environment.aWallet(), await environment.aWallet()]
    const claimTask = await environment.createTask(requester, aClaimTask({ hookContract: listHook }))
    const claim = await environment.post(`/tasks/${claimTask}/claim`, { body: await aClaimBody(bob, claimTask) })
    const { error } = expectRefusal(claim, 409, 'payment_preflight_rejected')
    expect(error).toContain(`the hook ${getAddress(listHook)} refused in checkClaim with`)
    const contest = await environment.createTask(requester, { hookContract: listHook })
    const submission = await environment.post(`/tasks/${contest}/submissions`, {
      body: await aSubmissionBody(bob, contest),
    })
    expect(expectRefusal(submission, 409, 'payment_preflight_rejected').error).toContain('refused in checkSubmit')
    // A listed worker is admitted.
    await environment.claim(alice, claimTask)
    await environment.submit(alice, contest)
  })
})
