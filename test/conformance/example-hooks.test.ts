import { getAddress } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { anActor } from '../support/actors.ts'
import { openWorld } from '../support/conformance.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'
import { aClaimBody, aClaimTask, aSubmissionBody, aTaskBody } from '../support/conformance-scenes.ts'
import { deployExampleHook } from '../support/example-hooks.ts'

/** Spec, "Create task": hookContract; Interface, "Tasks": hookContracts. With the hooks of contracts/examples. */

const world = openWorld()
const alice = anActor()
let tagHook: `0x${string}`
let listHook: `0x${string}`

beforeAll(async () => {
  tagHook = await deployExampleHook(world.chain, 'RequiredTagHook', [['solidity']])
  listHook = await deployExampleHook(world.chain, 'AllowListHook', [alice.address, [alice.address]])
})

const tagged = () => ({ tags: ['solidity'], hookContract: tagHook })

describe('A task with hooks', () => {
  test('tells its one hook as hookContract, and all of them as hooks', async () => {
    const requester = await world.aWallet()
    const taskId = await world.createTask(requester, tagged())
    const { body } = await world.get(`/tasks/${taskId}`)
    expect(body).toMatchObject({ hookContract: getAddress(tagHook), hooks: [getAddress(tagHook)] })
  })

  test('tells several in their order, and none of them as the one', async () => {
    const requester = await world.aWallet()
    const fields = { tags: ['solidity'], hookContracts: [listHook, tagHook] }
    const taskId = await world.createTask(requester, fields)
    const { body } = await world.get(`/tasks/${taskId}`)
    expect(body).toMatchObject({ hookContract: null, hooks: [getAddress(listHook), getAddress(tagHook)] })
  })

  test('that the hook vetoes is refused with a sentence, and nothing is charged', async () => {
    const requester = await world.aWallet()
    const money = await world.chain.watch({ requester: requester.address })
    const body = aTaskBody({ ...tagged(), tags: ['poem'] })
    const { error } = expectRefusal(await world.pay(requester, '/tasks', body), 409, 'payment_preflight_rejected')
    expect(error).toContain(`the hook ${getAddress(tagHook)} refused in checkFund`)
    expect(await money.changes()).toEqual({ requester: 0n })
  })

  test('whose hook is no hook is refused with a sentence, and nothing is charged', async () => {
    const requester = await world.aWallet()
    const money = await world.chain.watch({ requester: requester.address })
    for (const hookContract of [anActor().account.address, getAddress(world.chain.deployment.usdc)]) {
      const answer = await world.pay(requester, '/tasks', aTaskBody({ hookContract }))
      expect(expectRefusal(answer, 409, 'payment_preflight_rejected').error).toContain(`${hookContract} is no hook`)
    }
    expect(await money.changes()).toEqual({ requester: 0n })
  })

  test('lets a hook keep workers out: of a claim and of a contest, each refused before anything is written', async () => {
    const [requester, bob] = [await world.aWallet(), await world.aWallet()]
    const claimTask = await world.createTask(requester, aClaimTask({ hookContract: listHook }))
    const claim = await world.post(`/tasks/${claimTask}/claim`, { body: await aClaimBody(bob, claimTask) })
    const { error } = expectRefusal(claim, 409, 'payment_preflight_rejected')
    expect(error).toContain(`the hook ${getAddress(listHook)} refused in checkClaim with`)
    const contest = await world.createTask(requester, { hookContract: listHook })
    const submission = await world.post(`/tasks/${contest}/submissions`, { body: await aSubmissionBody(bob, contest) })
    expect(expectRefusal(submission, 409, 'payment_preflight_rejected').error).toContain('refused in checkSubmit')
    // Who is on the list enters.
    await world.claim(alice, claimTask)
    await world.submit(alice, contest)
  })
})
