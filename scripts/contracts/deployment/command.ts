import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Address, formatEther, isAddressEqual, type LocalAccount } from 'viem'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import { localDirectory } from '../../../ops/process/paths.ts'
import { connect } from '../chain.ts'
import { compileContracts } from '../compile.ts'
import { describeDeployment, refuseUnusableToken } from '../deploy.ts'
import { forgetDeployment, recordSetup, writeDeploymentFile } from '../deployment-file.ts'
import { findServiceAgent } from '../register-service.ts'
import { chooseSigner, refuseKeyOfEnvironment } from '../signers/choose-signer.ts'
import { toEtherscan } from '../verification/etherscan.ts'
import { toSourcify } from '../verification/sourcify.ts'
import type { PollOptions } from '../verification/submit.ts'
import { submitAll, writeVerification } from '../verification/verify.ts'
import { checkDeployment } from './check.ts'
import { type ChosenSetup, chooseSetup } from './choose-setup.ts'
import { estimate } from './estimate.ts'
import { executePlan, listMissing } from './execute.ts'
import { type DeployWords, readOptions } from './options.ts'
import { findFiles, openPlace, type Place } from './place.ts'
import { type Plan, planDeployment } from './plan.ts'
import { type Outlook, toOmissions, toPlanText } from './print-plan.ts'
import { type RecordedSetup, toSetup } from './recorded-setup.ts'
import type { Step } from './step.ts'
import { readSigned, sendSigned, writeUnsigned } from './unsigned-file.ts'

/** Blocks on a public chain until a transaction counts: a node that is behind, or a short reorg, is over by then. */
const CONFIRMATIONS = 5
/** Transactions that wait at once: nodes hold some sixteen of an account. */
const AT_ONCE = 10
/** How long verifiers are asked for a result. */
const defaultPolling = { pollInterval: 3000, timeout: 300_000 }

export interface CommandIo {
  env: { DEPLOYER_KEY?: string | undefined; ETHERSCAN_API_KEY?: string | undefined }
  say: (line: string) => void
  /** How verifiers are asked for their results. */
  polling?: PollOptions
}

/**
 * `npm run deploy`, by its words.
 * @returns the exit code: 1 when something differs or was not verified
 * @throws Error with a sentence that says what to do
 */
export async function runDeploy(arguments_: readonly string[], io: CommandIo): Promise<number> {
  const words = readOptions(arguments_)
  refuseKeyOfEnvironment(words, io.env.DEPLOYER_KEY)
  const files = findFiles(words)
  if (await compileContracts()) io.say('contracts compiled')
  if (words.mode === 'verify') return verify(words, io)
  const place = await openPlace(files, { isLocal: words.local })
  if (words.mode === 'check') return check(place, words, io)
  if (words.mode === 'dry-run') return dryRun(place, words, io)
  return deploy(place, words, io)
}

async function verify(words: DeployWords, { env, say, polling = defaultPolling }: CommandIo): Promise<number> {
  const { network, file, record } = findFiles(words)
  const { setup } = chooseSetup(
    { given: words.given, recorded: record?.setup, signer: undefined },
    { isDry: false, isNew: false },
  )
  const { chainId } = network
  const folder = words.out ?? join(localDirectory, 'verification', String(chainId))
  const contracts = writeVerification(planDeployment(network, toSetup(setup)), folder)
  say(
    `${contracts.length} inputs of the compiler are in ${folder}, the rest of what verifiers ask for in its contracts.json`,
  )
  if (words['no-submit']) return 0
  if (Object.keys(record?.contracts ?? {}).length === 0) {
    throw new Error(
      `${file} records no contracts: nothing is submitted before they are deployed (--no-submit only writes).`,
    )
  }
  const key = env.ETHERSCAN_API_KEY
  if (key === undefined) say('etherscan is left out: it needs a key of its own, as ETHERSCAN_API_KEY')
  const verifiers = [
    toSourcify({ url: words['sourcify-url'], chainId }, polling),
    ...(key === undefined ? [] : [toEtherscan({ url: words['etherscan-url'], chainId, key }, polling)]),
  ]
  const failures = await submitAll(contracts, { verifiers, say })
  say(failures === 0 ? 'all are verified' : `${failures} were not verified; what failed can be submitted again`)
  return failures === 0 ? 0 : 1
}

async function check(place: Place, words: DeployWords, { say }: CommandIo): Promise<number> {
  const { client, network, file, record } = place
  if (record === null || Object.keys(record.contracts).length === 0) {
    throw new Error(`${file} records no contracts: there is nothing to check before they are deployed.`)
  }
  const { given } = words
  const { setup } = chooseSetup({ given, recorded: record.setup, signer: undefined }, { isDry: false, isNew: false })
  const plan = planDeployment(network, toSetup(setup))
  const lines = await checkDeployment(client, plan, { record, say })
  for (const { what, result, note } of lines) say(`${result.padEnd(8)} ${what}${note === undefined ? '' : `: ${note}`}`)
  const count = (result: string) => lines.filter((line) => line.result === result).length
  say(`\n${count('ok')} ok, ${count('pending')} pending, ${count('differs')} differ`)
  return count('differs') === 0 ? 0 : 1
}

async function dryRun(place: Place, words: DeployWords, { env, say }: CommandIo): Promise<number> {
  const signer =
    words.local || words.keystore !== undefined || words.ledger ? await chooseSigner(words, env.DEPLOYER_KEY) : null
  const chosen = choose(place, words, { signer, isDry: true })
  const { outlook } = await prepare(place, words, { chosen, say })
  say(`${toPlanText(outlook)}\n`)
  const isOwned = isOwnedBy(outlook.forwarderOwner, chosen.setup.owner)
  say(toOmissions(outlook.plan, { isOwned, isRegistered: place.record?.serviceAgentId !== undefined }).join('\n'))
  say('\nA dry run: nothing was sent, and no file was written.')
  return 0
}

async function deploy(place: Place, words: DeployWords, { env, say }: CommandIo): Promise<number> {
  const { client, file, networkFile, record } = place
  const signer = await chooseSigner(words, env.DEPLOYER_KEY)
  const chosen = choose(place, words, { signer, isDry: false })
  const { deployer } = chosen.setup
  if (!words.replace) await waitForPending(place, { deployer, say })
  const { plan, missing, outlook } = await prepare(place, words, { chosen, say })
  say(toPlanText(outlook))
  if (words.new && record !== null) forgetDeployment(file)
  recordSetup(file, networkFile, chosen.setup)
  if (words.unsigned !== undefined) {
    const count = await writeUnsigned(client, { file: words.unsigned, deployer, estimate: outlook.estimate })
    say(
      `\n${count} unsigned transactions are in ${words.unsigned}, for ${deployer} to sign in this order. Send them with --send FILE ` +
        '(a list of the signed ones) or any other way, then run this command again: it continues after those that are mined.',
    )
    return 0
  }
  if (words.send !== undefined) {
    await sendSigned(client, await readSigned(client, plan, { file: words.send, deployer }), say)
  } else if (missing.length > 0) {
    await send(place, words, { signer, outlook, say })
  }
  return finish(place, words, { plan, setup: chosen.setup, say })
}

/** The setup of the command; a deployment that the file has is not replaced without being asked to. */
function choose(
  { record }: Place,
  { given, ...words }: DeployWords,
  { signer, isDry }: { signer: LocalAccount | null; isDry: boolean },
): ChosenSetup {
  const sources = { given, recorded: record?.setup, signer: signer?.address }
  return chooseSetup(sources, { isDry, isNew: words.new })
}

/** Computes the plan, compares it with the chain and the file, and estimates what is missing. */
async function prepare(
  place: Place,
  words: DeployWords,
  { chosen, say }: { chosen: ChosenSetup; say: (line: string) => void },
): Promise<{ plan: Plan; missing: Step[]; outlook: Outlook }> {
  const { client, network, rpcUrl } = place
  const setup = toSetup(chosen.setup)
  if (setup.bonus?.token === 'local' && !words.local) {
    throw new Error('--reward-token local makes a token that any account can mint: name a real one, or use --local.')
  }
  if (setup.bonus !== undefined) await refuseUnusableToken(client, setup.bonus.token)
  const plan = planDeployment(network, setup)
  if (!words.new) refuseOtherDeployment(place, plan)
  const missing = await listMissing(client, plan.steps)
  if (missing.length > 0) say('rehearsing all steps on a local chain ...')
  const estimated = await estimate(client, plan, { missing, ...(words.fees && { fees: words.fees }) })
  const address = setup.deployer
  const outlook = {
    plan,
    chosen,
    node: new URL(rpcUrl).host,
    block: await client.getBlockNumber({ cacheTime: 0 }),
    estimate: estimated,
    balance: chosen.assumed.includes('deployer') ? null : await client.getBalance({ address }),
    forwarderOwner: await findForwarderOwner(place, plan),
  }
  return { plan, missing, outlook }
}

function refuseOtherDeployment({ file, record }: Place, { addresses }: Plan): void {
  const planned = new Map<string, Address>(Object.entries(addresses))
  for (const [name, { address }] of Object.entries(record?.contracts ?? {})) {
    const expected = planned.get(name)
    if (expected?.toLowerCase() === address.toLowerCase()) continue
    throw new Error(
      `${file} records ${name} at ${address}; the sources of this repository with this setup make it ${expected ?? 'in no place'}. ` +
        'To continue the recorded deployment take the commit that it was made from; to replace it in the file: --new.',
    )
  }
}

async function findForwarderOwner({ client }: Place, { addresses }: Plan): Promise<Address | null> {
  const address = addresses.forwarder
  if ((await client.getCode({ address })) === undefined) return null
  return client.readContract({ address, abi: paymentForwarderAbi, functionName: 'owner' })
}

function isOwnedBy(present: Address | null, owner: Address): boolean {
  return present !== null && isAddressEqual(present, owner)
}

/** Transactions of an interrupted run, which must not be sent a second time. */
async function waitForPending(
  { client }: Place,
  { deployer, say }: { deployer: Address; say: (line: string) => void },
): Promise<void> {
  const deadline = Date.now() + 180_000
  let said = ''
  for (;;) {
    const [mined, all] = await Promise.all([
      client.getTransactionCount({ address: deployer, blockTag: 'latest' }),
      client.getTransactionCount({ address: deployer, blockTag: 'pending' }),
    ])
    if (all <= mined) return
    const line = `${all - mined} transactions of ${deployer} are not mined yet (from nonce ${mined} on); waiting for them`
    if (line !== said) say(line)
    said = line
    if (Date.now() > deadline) {
      throw new Error(
        `${line}. They may pay too little: run the same command again, or with --replace to send these at a higher price.`,
      )
    }
    await delay(1000)
  }
}

async function send(
  { client, rpcUrl }: Place,
  words: DeployWords,
  { signer, outlook, say }: { signer: LocalAccount | null; outlook: Outlook; say: (line: string) => void },
): Promise<void> {
  const { plan, estimate: estimated, balance } = outlook
  if (signer === null) {
    throw new Error(
      'Name what signs: --keystore FILE, --ledger, or --unsigned FILE to sign elsewhere. Nothing was sent.',
    )
  }
  if (balance !== null && balance < estimated.atMost) {
    throw new Error(
      `${signer.address} has ${formatEther(balance)} ETH, and the transactions can cost ${formatEther(estimated.atMost)}: send it ` +
        `${formatEther(estimated.atMost - balance)} ETH and run the same command again. Nothing was sent.`,
    )
  }
  say('')
  const replacement = words.replace ? await replacementFees(client) : undefined
  const fees = words.fees ?? replacement
  await executePlan(await connect(rpcUrl, signer), plan, {
    say,
    replace: words.replace,
    ...(!words.local && { atOnce: AT_ONCE }),
    confirmations: words.confirmations ?? (words.local ? 1 : CONFIRMATIONS),
    ...(fees && { fees }),
  })
}

/** Twice the price of now: nodes take a replacement that pays a tenth more than what it replaces. */
async function replacementFees(client: Place['client']) {
  const { maxFeePerGas, maxPriorityFeePerGas } = await client.estimateFeesPerGas()
  return { maxFeePerGas: maxFeePerGas * 2n, maxPriorityFeePerGas: maxPriorityFeePerGas * 2n }
}

/** Compares once more, then writes the file. */
async function finish(
  place: Place,
  words: DeployWords,
  { plan, setup, say }: { plan: Plan; setup: RecordedSetup; say: (line: string) => void },
): Promise<number> {
  const { client, network, file } = place
  const missing = await listMissing(client, plan.steps)
  if (missing.length > 0) {
    const names = missing.map(({ what }) => what).join(', ')
    throw new Error(
      `The chain does not have these steps (yet, or any more after a reorg): ${names}. Run the same command again.`,
    )
  }
  const deployment = await describeDeployment(client, plan)
  const { identityRegistry: registry, startBlock } = deployment
  const { publicBaseUrl, owner } = setup
  const agentId = await findServiceAgent(client, { registry, publicBaseUrl, startBlock, owner })
  await writeDeploymentFile(
    client,
    file,
    {
      ...deployment,
      ...(words.local && { local: true as const }),
      ...(agentId !== null && { serviceAgentId: String(agentId) }),
    },
    { setup, ...(network.rpcUrl !== undefined && !words.local && { rpcUrl: network.rpcUrl }) },
  )
  say(`\nThe deployment is complete, and recorded in ${file}.`)
  const isOwned = isOwnedBy(await findForwarderOwner(place, plan), owner)
  say(toOmissions(plan, { isOwned, isRegistered: agentId !== null }).join('\n'))
  say(
    `To compare the chain with the repository: npm run deploy -- --network ${words.network}${words.local ? ' --local' : ''} --check`,
  )
  return 0
}
