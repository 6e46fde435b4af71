import { readFileSync, writeFileSync } from 'node:fs'
import { type Abi, type Address, encodeFunctionData, type Hex } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { identityRegistryAbi } from '../../../abis/identity-registry.ts'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { contractsCheck } from '../../../ops/doctor/contracts.ts'
import { openContext } from '../../../ops/doctor/open-context.ts'
import { runCheck } from '../../../ops/doctor/run-checks.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import {
  countSent,
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

/** Lines of the command, after which its owner has not accepted the forwarder. */
let deployed = ''
const environment = useDeployEnvironment(async (prepared) => {
  deployed = (await runCommand(prepared, setupWords)).text
})

const call = (abi: Abi, functionName: string, args: readonly unknown[] = []) =>
  encodeFunctionData({ abi, functionName, args })
const owned = (to: Address, data: Hex) => sendAs(environment, exampleSetup.owner, { to, data })
const market = () => examplePlan().addresses.market
const forwarder = () => examplePlan().addresses.forwarder
const acceptForwarder = () => owned(forwarder(), accept)
const bonusHook = () => examplePlan().addresses.bonusHook ?? stranger
/** The selector of `createTask`, the second word of the route that the call sets. */
const createTask = () => {
  const step = examplePlan().steps.find(({ what }) => what === 'route to createTask of the market')
  return `0x${step?.data.slice(10 + 128, 10 + 128 + 8)}` as Hex
}
const ownMarket = (name: string, args: readonly unknown[] = []) => owned(market(), call(taskMarketAbi, name, args))
const ownForwarder = (name: string, args: readonly unknown[]) =>
  owned(forwarder(), call(paymentForwarderAbi, name, args))
const give = async (to: Address) => {
  await owned(to, call(taskMarketAbi, 'transferOwnership', [stranger]))
  await sendAs(environment, stranger, { to, data: accept })
}
/** One byte more, which no jump reaches: the contract works as before. */
const changeCode = async (address: Address) => {
  const code = await environment.client.getCode({ address })
  await environment.anvil.request('anvil_setCode', [address, `${code}00`])
}

/** Differences that no owner's transaction explains. */
const codeAndFile: readonly RegExp[] = [
  /^code of TaskMarket/,
  /^code of HookLib/,
  /^code of SponsoredVault at/,
  /^code of PaymentForwarder/,
  /^address of identityRegistrar$/,
  /^name and version of USDC$/,
]

const readFile = () => JSON.parse(readFileSync(environment.file, 'utf8'))

async function changeCodeAndFile(): Promise<void> {
  const { addresses, libraries, created } = examplePlan()
  for (const address of [addresses.market, libraries.HookLib, created[1]?.address])
    await changeCode(address ?? stranger)
  const file = readFile()
  file.contracts.forwarder.codeHash = `0x${'00'.repeat(32)}`
  file.contracts.identityRegistrar.address = stranger
  file.usdc.name = 'Another Coin'
  writeFileSync(environment.file, JSON.stringify(file))
}

/** Settings that a contract takes of its owner alone. */
const settings: readonly RegExp[] = [
  /^route to createTask of the market$/,
  /^routes that the repository does not name$/,
  /^relayer 0x/,
  /^relayers that the setup does not name$/,
  /^guardian of the forwarder$/,
  /^feeRecipient of the market$/,
  /^feeBps of the market$/,
  /^identityRegistry of the market$/,
  /^reputationRegistry of the market$/,
  /^paused of the market$/,
  /^default hooks that the setup does not name$/,
]

async function changeSettings(): Promise<void> {
  for (const selector of [createTask(), '0x12345678']) {
    await ownForwarder('setRoute', [{ target: market(), selector, relayModes: 8, verb: '', suffixRule: 0 }])
  }
  await ownForwarder('setRelayer', [exampleSetup.relayers[0], false])
  await ownForwarder('setRelayer', [stranger, true])
  // A relayer can be no guardian.
  await ownForwarder('setGuardian', [exampleSetup.feeRecipient])
  await ownMarket('setFeeRecipient', [stranger])
  await ownMarket('setFeeBps', [1])
  await ownMarket('setRegistries', [stranger, stranger])
  await ownMarket('pause')
  await ownMarket('setDefaultHooks', [[examplePlan().addresses.sponsoredTasksHook, bonusHook()]])
}

/** Runs the check. @returns what each line that is not `ok` says, by its result */
async function check() {
  const { exitCode, lines } = await runCommand(environment, ['--check'])
  const others = lines.slice(0, -1).filter((text) => !text.startsWith('ok '))
  const linesOf = (result: string) => others.flatMap((line) => (line.startsWith(result) ? [line.slice(9)] : []))
  const [changed, differing] = [linesOf('changed'), linesOf('differs')]
  expect(changed.length + differing.length).toBe(others.length)
  expect(lines.at(-1)).toMatch(` ok, 0 pending, ${changed.length} changed, ${differing.length} differ`)
  return { exitCode, changed, differing }
}

/** One line for each expression, and no others. */
function expectLines(lines: readonly string[], expected: readonly RegExp[]): void {
  const names = lines.map((line) => line.replace(/:.*$/s, ''))
  for (const name of expected) expect(names).toContainEqual(expect.stringMatching(name))
  expect(names).toHaveLength(expected.length)
}

test('given an owner that is not the deployer, when it accepts, then the deployer holds no power and nothing is pending', async () => {
  const address = forwarder()
  expect(deployed).toContain(`cast send ${address} 'acceptOwnership()'`)
  const before = await runCommand(environment, ['--check'])
  expect(before.lines.filter((line) => !line.startsWith('ok'))).toEqual([
    `pending  owner of the forwarder: ${exampleSetup.deployer} owns it until ${exampleSetup.owner} accepts: cast send ${address} 'acceptOwnership()' --rpc-url RPC_URL --ledger`,
    expect.stringMatching(/^\n\d+ ok, 1 pending, 0 changed, 0 differ$/),
  ])
  await acceptForwarder()
  const after = await runCommand(environment, ['--check'])
  expect(after.exitCode).toBe(0)
  expect(after.text).toMatch(/ ok, 0 pending, 0 changed, 0 differ$/)
  const grant = call(paymentForwarderAbi, 'setRelayer', [exampleSetup.deployer, true])
  await expect(sendAs(environment, exampleSetup.deployer, { to: address, data: grant })).rejects.toThrow('could not')
})

test('given a service that its owner registered, when the command is run again, then the file has its agent', async () => {
  expect(readFile()).not.toHaveProperty('serviceAgentId')
  const uri = 'https://market.example/.well-known/agent-registration.json'
  await owned(examplePlan().network.registries.identityRegistry.address, call(identityRegistryAbi, 'register', [uri]))
  const sent = await countSent(environment)
  await runCommand(environment, [], { env: {} })
  expect(readFile()).toMatchObject({ serviceAgentId: expect.stringMatching(/^\d+$/), setup: exampleSetup })
  expect(await countSent(environment)).toBe(sent)
})

test('given a recorded deployment, then another owner and other code are refused, and --new replaces the record', async () => {
  const other = ['--owner', exampleSetup.feeRecipient]
  await expect(runCommand(environment, other)).rejects.toThrow(`records a deployment with owner ${exampleSetup.owner}`)
  const recorded = readFile()
  recorded.contracts.market.address = exampleSetup.owner
  writeFileSync(environment.file, JSON.stringify(recorded))
  await expect(runCommand(environment, [])).rejects.toThrow(`records market at ${exampleSetup.owner}`)
  const ran = await runCommand(environment, [...other, '--new'])
  expect(ran.text).toContain('The deployment is complete')
  expect(readFile()).toMatchObject({ setup: { owner: exampleSetup.feeRecipient } })
  // The forwarder follows from the deployer and the service's name, so it is the same, with routes to the market before.
  const { lines } = await runCommand(environment, ['--check'])
  expect(lines.filter((line) => line.startsWith('differs'))).toEqual([
    expect.stringMatching(/^differs +routes that the repository does not name: /),
  ])
})

describe('given that the owner has accepted the forwarder', () => {
  beforeEach(acceptForwarder)

  test('when a relayer is added, then the command names the call that the owner sends', async () => {
    const relayer = devAccount('relayer2').account.address
    const data = call(paymentForwarderAbi, 'setRelayer', [relayer, true])
    const run = runCommand(environment, ['--relayer', relayer])
    await expect(run).rejects.toThrow(`cast send ${forwarder()} ${data}`)
    await owned(forwarder(), data)
    expect((await check()).exitCode).toBe(0)
  })

  test('given other code and another file, then the check has exactly those lines', async () => {
    await changeCodeAndFile()
    const { exitCode, changed, differing } = await check()
    expect([exitCode, changed]).toEqual([1, []])
    expectLines(differing, codeAndFile)
  })

  test('given settings that the owner changed, then the check names each, with its transaction, and is good', async () => {
    await changeSettings()
    const { exitCode, changed, differing } = await check()
    expect([exitCode, differing]).toEqual([0, []])
    expectLines(changed, settings)
    // Whether the programme is attached is its owner's choice.
    expect(changed.join()).not.toContain(bonusHook())
    for (const line of changed) expect(line).toMatch(/, by its owner in block \d+, transaction 0x[0-9a-f]{64}$/)
  })

  test('given contracts that their owner offers, then the check has exactly those lines', async () => {
    await ownMarket('transferOwnership', [stranger])
    await owned(forwarder(), call(taskMarketAbi, 'transferOwnership', [stranger]))
    const { exitCode, differing } = await check()
    expect(exitCode).toBe(1)
    expectLines(differing, [/^pending owner of the market$/, /^pending owner of the forwarder$/])
  })

  test('given contracts that have another owner, then they differ, and so does what that owner set', async () => {
    for (const address of [market(), forwarder(), bonusHook()]) await give(address)
    await sendAs(environment, stranger, { to: market(), data: call(taskMarketAbi, 'setFeeBps', [1]) })
    const { exitCode, changed, differing } = await check()
    expect([exitCode, changed]).toEqual([1, []])
    expectLines(differing, [
      /^owner of the market$/,
      /^owner of the forwarder$/,
      /^owner of the bonus hook$/,
      /^feeBps of the market$/,
    ])
  })

  test('given npm run doctor on such a file, then it compares the same, and names what differs', async () => {
    const { anvil, file } = environment
    const report = async () => {
      const { context, close } = openContext(() => ({ ...unused, RPC_URL: anvil.url, DEPLOYMENT_FILE: file }))
      try {
        return (await runCheck(contractsCheck, context)).map(({ fault, finding }) => [fault, finding])
      } finally {
        await close()
      }
    }
    const right = expect.stringMatching(/^owners, roles, routes and settings: \d+ as expected$/)
    expect(await report()).toEqual([
      [undefined, 'code of 6 contracts: as recorded'],
      [undefined, right],
    ])
    await give(market())
    expect(await report()).toEqual([
      [undefined, 'code of 6 contracts: as recorded'],
      [undefined, right],
      [
        'differs',
        expect.stringMatching('^owner of the market differs from the setup of the deployment file: expected 0x'),
      ],
    ])
  })
})
