import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Hex, parseTransaction } from 'viem'
import { expect, test } from 'vitest'
import { writeKeystore } from '../../../client/src/keystore/keystore.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { connect, sendAll } from '../../../scripts/contracts/chain.ts'
import { openCastSigner } from '../../../scripts/contracts/signers/cast-signer.ts'
import { requireSameTransaction } from '../../../scripts/contracts/signers/same-transaction.ts'
import {
  countSent,
  examplePlan,
  exampleSetup,
  runCommand,
  sendAs,
  setupWords,
  stop,
  stopAt,
  useDeployEnvironment,
} from './deploy-environment.ts'

const environment = useDeployEnvironment()
const deployer = devAccount('deployer')
const elsewhere = [...setupWords, '--deployer', exampleSetup.deployer]

test('given a keystore and a file with its password, then it signs', async () => {
  const keystore = join(environment.folder, 'keystore.json')
  const passwordFile = join(environment.folder, 'password')
  await writeKeystore(keystore, { privateKey: deployer.privateKey, password: 'right', terms: { n: 1024 } })
  const { folder } = environment
  await expect(
    runCommand(environment, [...setupWords, '--keystore', keystore, '--password-file', folder]),
  ).rejects.toThrow(`--password-file ${folder} cannot be read`)
  writeFileSync(passwordFile, 'wrong\n')
  const words = [...setupWords, '--keystore', keystore, '--password-file', passwordFile]
  await expect(runCommand(environment, words, { env: {} })).rejects.toThrow('The password is wrong.')
  writeFileSync(passwordFile, 'right\n')
  await expect(runCommand(environment, words, { env: {}, say: stopAt('sent') })).rejects.toThrow(stop)
  expect(await countSent(environment)).toBe(1)
})

test('given an account that cast signs for, as with a device, then its transactions are sent', async () => {
  const signer = await openCastSigner(['--private-key', deployer.privateKey])
  expect(signer.address).toBe(deployer.account.address)
  const client = await connect(environment.anvil.url, signer)
  const [creation] = examplePlan().steps
  if (creation === undefined) throw new Error('the plan has no steps')
  const [sent] = await sendAll(client, [creation])
  const transaction = await client.getTransaction({ hash: sent?.hash ?? '0x' })
  expect(transaction).toMatchObject({ input: creation.data, to: creation.to.toLowerCase(), type: 'eip1559' })
})

test.each([
  ['nonce', { nonce: 8 }],
  ['to', { to: exampleSetup.owner }],
  ['data', { data: '0x02' as Hex }],
  ['value', { value: 1n }],
  ['chainId', { chainId: 1 }],
  ['maxFeePerGas', { maxFeePerGas: 20n }],
])('given a signed transaction with another %s, then it is refused', async (field, change) => {
  const expected = {
    type: 'eip1559',
    chainId: 8453,
    nonce: 7,
    to: exampleSetup.feeRecipient,
    data: '0x01',
    gas: 100_000n,
    maxFeePerGas: 10n,
    maxPriorityFeePerGas: 1n,
  } as const
  const from = deployer.account.address
  const signed = await deployer.account.signTransaction({ ...expected, ...change })
  await expect(requireSameTransaction(signed, { ...expected, from })).rejects.toThrow(`another ${field}`)
  const right = await deployer.account.signTransaction(expected)
  await requireSameTransaction(right, { ...expected, from })
  const other = await devAccount('alice').account.signTransaction(expected)
  await expect(requireSameTransaction(other, { ...expected, from })).rejects.toThrow('is signed by')
})

test('given unsigned transactions in a file, when they are signed elsewhere and sent, also another way, then the deployment is complete', async () => {
  const { unsigned, signedFile } = await writeFiles()
  expect(await countSent(environment)).toBe(0)
  const signed = await signAll(unsigned)
  // Some of them, as if the sender stopped: the next run takes the rest of the file.
  writeFileSync(signedFile, signed.slice(0, 10).join('\n'))
  const send = () => runCommand(environment, ['--send', signedFile], { env: {} })
  await expect(send()).rejects.toThrow('does not have these steps')
  for (const raw of signed.slice(10, 20)) await environment.anvil.request('eth_sendRawTransaction', [raw])
  writeFileSync(signedFile, JSON.stringify(signed))
  expect((await send()).text).toContain('The deployment is complete')
  expect((await runCommand(environment, [], { env: {} })).text).toContain('0 transactions')
  expect(await countSent(environment)).toBe(examplePlan().steps.length)
})

test('given a file with another transaction, or an unsigned one, then nothing of it is sent', async () => {
  const { unsigned, signedFile } = await writeFiles()
  const [first] = unsigned
  const transfer = await deployer.account.signTransaction({
    ...parseTransaction(first as `0x02${string}`),
    to: exampleSetup.feeRecipient,
    value: 1n,
  })
  const byAnother = await devAccount('alice').account.signTransaction(parseTransaction(first as `0x02${string}`))
  for (const [raw, sentence] of [
    [transfer, 'is no step of this deployment'],
    [byAnother, 'is signed by'],
    [String(first), 'has no signature'],
    ['hello', 'is no list of signed transactions'],
  ] as const) {
    writeFileSync(signedFile, raw)
    await expect(runCommand(environment, ['--send', signedFile], { env: {} })).rejects.toThrow(sentence)
  }
  expect(await countSent(environment)).toBe(0)
  // One is missing, then another transaction of the account takes the first nonce.
  const [, ...others] = await signAll(unsigned)
  writeFileSync(signedFile, others.join('\n'))
  const send = () => runCommand(environment, ['--send', signedFile], { env: {} })
  await expect(send()).rejects.toThrow(/has nonce 1 .* is 0: .* --unsigned FILE/)
  writeFileSync(signedFile, (await signAll(unsigned)).join('\n'))
  await sendAs(environment, exampleSetup.deployer, { to: exampleSetup.owner, data: '0x' })
  await expect(send()).rejects.toThrow(/has nonce 0 .* is 1: .* --unsigned FILE/)
  expect(await countSent(environment)).toBe(1)
})

async function writeFiles() {
  const file = join(environment.folder, 'unsigned.json')
  const ran = await runCommand(environment, [...elsewhere, '--unsigned', file], { env: {} })
  expect(ran.text).toContain('unsigned transactions are in')
  const { transactions } = JSON.parse(readFileSync(file, 'utf8')) as { transactions: { raw: Hex }[] }
  return { unsigned: transactions.map(({ raw }) => raw), signedFile: join(environment.folder, 'signed') }
}

function signAll(unsigned: Hex[]): Promise<Hex[]> {
  return Promise.all(unsigned.map((raw) => deployer.account.signTransaction(parseTransaction(raw as `0x02${string}`))))
}
