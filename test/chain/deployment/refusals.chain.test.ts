import { existsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { keccak256, numberToHex, toHex } from 'viem'
import { expect, onTestFinished, test } from 'vitest'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { create2Deployer } from '../../../scripts/contracts/addresses.ts'
import { runDeploy } from '../../../scripts/contracts/deployment/command.ts'
import type { CommandIo } from '../../../scripts/contracts/deployment/command-io.ts'
import { installStandIns } from '../../../scripts/contracts/local-chain.ts'
import { localNetwork } from '../../../scripts/contracts/network.ts'
import {
  countSent,
  examplePlan,
  exampleSetup,
  runCommand,
  sendAs,
  setupWords,
  useDeployEnvironment,
} from './deploy-environment.ts'

/** Part of the code of the stand-in, as of USDC. */
const VERSION_HASH = keccak256(toHex('2')).slice(2)

const environment = useDeployEnvironment()
const key = devAccount('deployer').privateKey
const otherNetwork = localNetwork.name === 'base' ? 'base-sepolia' : 'base'

/** A command that must not send anything. */
async function expectRefusal(words: string[], sentence: string | RegExp, env: CommandIo['env'] = {}) {
  await expect(runDeploy(words, { env, say: () => {} })).rejects.toThrow(sentence)
  expect(await countSent(environment)).toBe(0)
  expect(existsSync(environment.file)).toBe(false)
}

const place = () => ['--network', localNetwork.name, '--rpc-url', environment.anvil.url, '--file', environment.file]

test.each([
  ['a key as argument', ['--private-key', key], 'A key is never taken from the arguments'],
  ['a key as a value', [`--keystore=${key}`], 'A key is never taken from the arguments'],
  ['a key without 0x', [key.slice(2)], 'A key is never taken from the arguments'],
  ['no network', ['--dry-run'], 'Name the network: --network base-sepolia'],
  ['an unknown network', ['--network', 'nowhere'], 'Known: base (8453), base-sepolia (84532)'],
  ['an unknown command', ['undeploy', '--network', 'base'], 'There is no command undeploy'],
  ['two commands', ['verify', '--check', '--network', 'base'], 'Choose one of verify and --check'],
  ['no address', ['--network', 'base', '--owner', '0x12'], '--owner must be an address'],
  [
    'a wrong checksum',
    ['--network', 'base', '--owner', exampleSetup.owner.replace(/[a-f]/, (digit) => digit.toUpperCase())],
    '--owner must be an address',
  ],
  [
    'a fee above the bound',
    ['--network', 'base', '--fee-bps', '2001'],
    '--fee-bps must be a whole number from 0 to 2000',
  ],
  ['sources of what is not deployed', ['verify', '--network', 'base-sepolia'], 'records no contracts'],
  ['half a price', ['--network', 'base', '--max-fee-gwei', '1'], 'together'],
])('given %s, then the command says what to do', (_what, words, sentence) => expectRefusal(words, sentence))

test('given a key in the environment for a public chain, then it is refused with what to use', () =>
  expectRefusal([...place(), ...setupWords], 'DEPLOYER_KEY is for local chains', { DEPLOYER_KEY: key }))

test('given a node of another chain than the network, then nothing is sent', async () => {
  const words = [...place(), ...setupWords, '--network', otherNetwork]
  await expectRefusal(words, `the node is of chain ${localNetwork.chainId}, ${otherNetwork} is chain`)
  await expectRefusal([...words, '--local'], `the node is of chain ${localNetwork.chainId}`, { DEPLOYER_KEY: key })
})

test('given a chain without USDC and the registries, then nothing is sent', () =>
  expectRefusal([...place(), ...setupWords], 'which its deployment file names'))

test('given a chain without the deterministic deployer, then nothing is sent', async () => {
  await installStandIns(environment.anvil.url)
  await environment.anvil.request('anvil_setCode', [create2Deployer, '0x'])
  await expectRefusal([...place(), ...setupWords], `no deterministic deployer at ${create2Deployer}`)
})

test.each([
  ['does not answer its domain', () => '0x00', 'does not answer name(), version()'],
  [
    'has the domain of another version',
    (code: string) => code.replace(VERSION_HASH, '00'.repeat(32)),
    'is not that of',
  ],
])('given a USDC that %s, then nothing is sent', async (_what, change, sentence) => {
  const { anvil, client } = environment
  const { address } = localNetwork.usdc
  await installStandIns(anvil.url)
  await anvil.request('anvil_setCode', [address, change((await client.getCode({ address })) ?? '')])
  await expectRefusal([...place(), ...setupWords], sentence)
})

test.each([
  ['half of a file', '{"chainId": 84532,'],
  ['a file without USDC', '{"chainId": 84532}'],
])('given %s, then the file is named', async (_what, text) => {
  const file = join(environment.folder, 'half.json')
  writeFileSync(file, text)
  await expectRefusal(['--network', file], `${file} is no deployment file`)
  await expectRefusal([...place(), '--file', file], `${file} is no deployment file`)
})

test('given a node that does not answer, then it is named', () =>
  expectRefusal([...place(), '--rpc-url', 'http://127.0.0.1:9', '--dry-run'], 'http://127.0.0.1:9 does not answer'))

test('given a public node that is said to be local, then its chain is not touched', async () => {
  const methods: string[] = []
  const server = createServer((request, response) => {
    request.setEncoding('utf8').once('data', (body: string) => {
      const { id, method } = JSON.parse(body)
      methods.push(method)
      const result = method === 'eth_chainId' ? numberToHex(localNetwork.chainId) : 'Geth/v1.16'
      response.setHeader('Connection', 'close').end(JSON.stringify({ jsonrpc: '2.0', id, result }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const words = [...place(), ...setupWords, '--rpc-url', url, '--local']
  await expectRefusal(words, '--local is for a chain of anvil', { DEPLOYER_KEY: key })
  expect(methods).toEqual(['eth_chainId', 'web3_clientVersion'])
})

test('given no setup, then a run names the arguments that are missing', async () => {
  const missing = 'These are missing: --deployer, --owner, --fee-recipient, --public-base-url'
  await expectRefusal([...place(), '--local'], missing)
})

test('given a guardian that is a relayer, then it is refused', () =>
  expectRefusal(
    [...place(), ...setupWords, '--local', '--relayer', String(exampleSetup.guardian)],
    `The guardian ${exampleSetup.guardian} is a relayer`,
    { DEPLOYER_KEY: key },
  ))

test('given nothing that signs, then a run says how, and sends nothing', () =>
  expectRefusal([...place(), ...setupWords, '--local', '--deployer', exampleSetup.deployer], 'Name what signs'))

test('given a deployer with too little ETH, then nothing is sent and the missing amount is named', async () => {
  await environment.anvil.request('anvil_setBalance', [exampleSetup.deployer, '0x1'])
  const sentence = /can cost [\d.]+: send it [\d.]+ ETH and run the same command again/
  await expectRefusal([...place(), ...setupWords, '--local'], sentence, { DEPLOYER_KEY: key })
})

test('given contracts that another account deployed before, then only what is missing is sent, and the check is good', async () => {
  const words = [...setupWords, '--deployer', exampleSetup.deployer]
  await runCommand(environment, ['--dry-run'])
  const { steps } = examplePlan()
  const creations = steps.filter(({ piece }) => piece !== undefined).slice(0, 14)
  for (const { to, data } of creations) await sendAs(environment, devAccount('carol').account.address, { to, data })
  const ran = await runCommand(environment, words)
  expect(ran.text).toContain('14 of ')
  expect((await runCommand(environment, ['--check'])).exitCode).toBe(0)
})
