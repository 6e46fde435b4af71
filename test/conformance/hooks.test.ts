import { type Address, encodeFunctionData, getAddress } from 'viem'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { taskMarketAbi } from '../../abis/task-market.ts'
import { devAccount } from '../../scripts/chain/dev-accounts.ts'
import { anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { aTaskBody } from '../support/conformance-fixtures.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'

const environment = openEnvironment()

/** Code that returns 1 to every call: a hook of every interface, which admits every action. */
const AGREEING = '0x60015f5260205ff3'
/** Neither in ascending nor in descending order. */
const [first, second, custom] = [aHook('c3'), aHook('11'), aHook('77')]

function aHook(digits: string): Address {
  return getAddress(`0x${digits}${anActor().address.slice(4)}`)
}

beforeAll(async () => {
  for (const hook of [first, second, custom]) await environment.chain.request('anvil_setCode', [hook, AGREEING])
})

// The market is shared: no other test has default hooks.
afterEach(() => setDefaultHooks([]))

async function setDefaultHooks(hooks: Address[]): Promise<void> {
  const data = encodeFunctionData({ abi: taskMarketAbi, functionName: 'setDefaultHooks', args: [hooks] })
  await environment.chain.sendAs(devAccount('owner').account.address, { to: environment.chain.deployment.market, data })
  const served = async () => (await environment.get('/hooks/attachment-configuration')).body.defaultHooks
  await expect.poll(served).toEqual(hooks)
}

describe('GET /hooks/attachment-configuration', () => {
  test('has the default hooks, initially none, and the maximum number of a task', async () => {
    const { status, body } = await environment.get('/hooks/attachment-configuration')
    expect({ status, body }).toEqual({ status: 200, body: { defaultHooks: [], maxHooks: 8, platformFeeBps: 750 } })
  })
})

describe('Create task: hooks', () => {
  test('default hooks come first, then those of the requester; a task keeps the list of its creation', async () => {
    await setDefaultHooks([first, second])
    const requester = await environment.aWallet()
    const plain = await environment.createTask(requester)
    const hooked = await environment.createTask(requester, { hookContract: custom.toLowerCase(), hookData: '0x01' })
    await setDefaultHooks([])
    const of = async (taskId: string) => {
      const { hooks, hookContract } = (await environment.get(`/tasks/${taskId}`)).body
      return { hooks, hookContract }
    }
    expect(await of(plain)).toEqual({ hooks: [first, second], hookContract: null })
    expect(await of(hooked)).toEqual({ hooks: [first, second, custom], hookContract: custom })
  })

  test('nine hooks including the default ones are refused before the 402', async () => {
    await setDefaultHooks([first, second])
    const hookContracts = Array.from({ length: 7 }, (_, index) => aHook(`a${index}`))
    const answer = await environment.post('/tasks', { body: aTaskBody({ hookContracts }) })
    const { issues } = expectRefusal(answer, 400, 'payment_preflight_rejected')
    expect(issues).toMatchObject([{ path: 'hookContracts' }])
  })
})
