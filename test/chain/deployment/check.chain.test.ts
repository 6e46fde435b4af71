import { readFileSync, writeFileSync } from 'node:fs'
import { type Abi, type Address, encodeFunctionData, type Hex } from 'viem'
import { expect, test } from 'vitest'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { contractsCheck } from '../../../ops/doctor/contracts.ts'
import { openContext } from '../../../ops/doctor/open-context.ts'
import { runCheck } from '../../../ops/doctor/run-checks.ts'
import {
  examplePlan,
  exampleSetup,
  runCommand,
  sendAs,
  setupWords,
  useDeployEnvironment,
} from './deploy-environment.ts'

/** A database that is named and not used. */
const unused = { DATABASE_URL: 'postgres://market_indexer@127.0.0.1:1/market' }
const stranger: Address = '0x00000000000000000000000000000000000a11ce'
const accept = encodeFunctionData({ abi: taskMarketAbi, functionName: 'acceptOwnership' })

let deployed = ''
const environment = useDeployEnvironment(async (prepared) => {
  await runCommand(prepared, setupWords)
  const { forwarder } = examplePlan().addresses
  await sendAs(prepared, exampleSetup.owner, { to: forwarder, data: accept })
  deployed = readFileSync(prepared.file, 'utf8')
})

const call = (abi: Abi, functionName: string, args: readonly unknown[] = []) =>
  encodeFunctionData({ abi, functionName, args })
const owned = (to: Address, data: Hex) => sendAs(environment, exampleSetup.owner, { to, data })
const market = () => examplePlan().addresses.market
const forwarder = () => examplePlan().addresses.forwarder
const bonusHook = () => examplePlan().addresses.bonusHook ?? stranger
/** Its selector, the second word of the route that the call sets. */
const createTask = () => {
  const step = examplePlan().steps.find(({ what }) => what === 'route to createTask of the market')
  return `0x${step?.data.slice(10 + 128, 10 + 128 + 8)}` as Hex
}
const setRoute = (route: { target: Address; selector: Hex; relayModes: number; verb: string }) =>
  owned(forwarder(), call(paymentForwarderAbi, 'setRoute', [{ ...route, suffixRule: 0 }]))
const give = async (to: Address) => {
  await owned(to, call(taskMarketAbi, 'transferOwnership', [stranger]))
  await sendAs(environment, stranger, { to, data: accept })
}
/** One byte more, which no jump reaches: the contract works as before. */
const changeCode = async (address: Address) => {
  const code = await environment.client.getCode({ address })
  await environment.anvil.request('anvil_setCode', [address, `${code}00`])
}
type File = {
  usdc: { name: string }
  contracts: Record<string, { address: string; codeHash: string }>
}
const changeFile = async (change: (file: File) => void) => {
  const file = JSON.parse(deployed) as File
  change(file)
  writeFileSync(environment.file, JSON.stringify(file))
}

const changes: [what: string, line: RegExp, change: () => Promise<unknown>][] = [
  ['code of the market', /^code of TaskMarket/, () => changeCode(market())],
  ['code of a library', /^code of HookLib/, () => changeCode(examplePlan().libraries.HookLib ?? stranger)],
  [
    'code of what a hook creates',
    /^code of SponsoredVault at/,
    () => changeCode(examplePlan().created[1]?.address ?? stranger),
  ],
  [
    'hash in the file',
    /^code of PaymentForwarder/,
    () =>
      changeFile(({ contracts }) => {
        Object.assign(contracts.forwarder ?? {}, { codeHash: `0x${'00'.repeat(32)}` })
      }),
  ],
  [
    'address in the file',
    /^address of identityRegistrar$/,
    () =>
      changeFile(({ contracts }) => {
        Object.assign(contracts.identityRegistrar ?? {}, { address: stranger })
      }),
  ],
  [
    'name of USDC in the file',
    /^name and version of USDC$/,
    () =>
      changeFile(({ usdc }) => {
        usdc.name = 'Another Coin'
      }),
  ],
  ['owner of the market', /^owner of the market$/, () => give(market())],
  ['owner of the forwarder', /^owner of the forwarder$/, () => give(forwarder())],
  ['owner of the programme', /^owner of the bonus hook$/, () => give(bonusHook())],
  [
    'offer of the market',
    /^pending owner of the market$/,
    () => owned(market(), call(taskMarketAbi, 'transferOwnership', [stranger])),
  ],
  [
    'offer of the forwarder',
    /^pending owner of the forwarder$/,
    () => owned(forwarder(), call(taskMarketAbi, 'transferOwnership', [stranger])),
  ],
]

/** Changes that a contract takes of its owner alone. */
const settings: [what: string, line: RegExp, change: () => Promise<unknown>][] = [
  [
    'route of a planned function',
    /^route to createTask of the market$/,
    () => setRoute({ target: market(), selector: createTask(), relayModes: 8, verb: '' }),
  ],
  [
    'route of another function',
    /^routes that the repository does not name$/,
    () => setRoute({ target: market(), selector: '0x12345678', relayModes: 8, verb: '' }),
  ],
  [
    'dismissed relayer',
    /^relayer 0x/,
    () => owned(forwarder(), call(paymentForwarderAbi, 'setRelayer', [exampleSetup.relayers[0], false])),
  ],
  [
    'another relayer',
    /^relayers that the setup does not name$/,
    () => owned(forwarder(), call(paymentForwarderAbi, 'setRelayer', [stranger, true])),
  ],
  [
    'guardian',
    /^guardian of the forwarder$/,
    () => owned(forwarder(), call(paymentForwarderAbi, 'setGuardian', [stranger])),
  ],
  [
    'fee recipient',
    /^feeRecipient of the market$/,
    () => owned(market(), call(taskMarketAbi, 'setFeeRecipient', [stranger])),
  ],
  ['fee', /^feeBps of the market$/, () => owned(market(), call(taskMarketAbi, 'setFeeBps', [1]))],
  [
    'identity registry',
    /^identityRegistry of the market$/,
    () => {
      const { reputationRegistry } = examplePlan().network.registries
      return owned(market(), call(taskMarketAbi, 'setRegistries', [stranger, reputationRegistry.address]))
    },
  ],
  [
    'reputation registry',
    /^reputationRegistry of the market$/,
    () => {
      const { identityRegistry } = examplePlan().network.registries
      return owned(market(), call(taskMarketAbi, 'setRegistries', [identityRegistry.address, stranger]))
    },
  ],
  ['pause', /^paused of the market$/, () => owned(market(), call(taskMarketAbi, 'pause'))],
  [
    'another default hook',
    /^default hooks that the setup does not name$/,
    () => owned(market(), call(taskMarketAbi, 'setDefaultHooks', [[examplePlan().addresses.sponsoredTasksHook]])),
  ],
]

test.each([
  ...changes.map((row) => [...row, 'differs'] as const),
  ...settings.map((row) => [...row, 'changed'] as const),
])('given a change of the %s, then the check has exactly that line', async (_what, line, change, result) => {
  await change()
  const { exitCode, lines } = await runCommand(environment, ['--check'])
  const [changed = '', ...others] = lines.slice(0, -1).filter((text) => !text.startsWith('ok '))
  expect(others).toEqual([])
  expect(changed.slice(0, 9).trim()).toBe(result)
  expect(changed.slice(9).replace(/:.*$/s, '')).toMatch(line)
  if (result === 'changed') expect(changed).toMatch(/, by its owner in block \d+, transaction 0x[0-9a-f]{64}$/)
  const counts = result === 'changed' ? '1 changed, 0 differ' : '0 changed, 1 differ'
  expect(lines.at(-1)).toMatch(` ok, 0 pending, ${counts}`)
  expect(exitCode).toBe(result === 'changed' ? 0 : 1)
})

test('given a setting of an account that the market was given to, then it differs as its owner does', async () => {
  await give(market())
  await sendAs(environment, stranger, { to: market(), data: call(taskMarketAbi, 'setFeeBps', [1]) })
  const { lines } = await runCommand(environment, ['--check'])
  expect(lines.at(-1)).toMatch(/ 0 changed, 2 differ$/)
})

test('given the programme as a default hook, which its owner decides, then nothing differs', async () => {
  await owned(market(), call(taskMarketAbi, 'setDefaultHooks', [[bonusHook()]]))
  expect((await runCommand(environment, ['--check'])).exitCode).toBe(0)
})

test('given npm run doctor on such a file, then it compares the same, and names what differs', async () => {
  const { anvil, file } = environment
  const check = async () => {
    const { context, close } = openContext(() => ({ ...unused, RPC_URL: anvil.url, DEPLOYMENT_FILE: file }))
    try {
      return (await runCheck(contractsCheck, context)).map(({ fault, finding }) => [fault, finding])
    } finally {
      await close()
    }
  }
  const right = expect.stringMatching(/^owners, roles, routes and settings: \d+ as expected$/)
  expect(await check()).toEqual([
    [undefined, 'code of 6 contracts: as recorded'],
    [undefined, right],
  ])
  await give(market())
  expect(await check()).toEqual([
    [undefined, 'code of 6 contracts: as recorded'],
    [undefined, right],
    [
      'differs',
      expect.stringMatching('^owner of the market differs from the setup of the deployment file: expected 0x'),
    ],
  ])
})
