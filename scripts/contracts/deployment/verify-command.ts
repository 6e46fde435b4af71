import { join } from 'node:path'
import { localDirectory } from '../../../ops/process/paths.ts'
import { toEtherscan } from '../verification/etherscan.ts'
import { toSourcify } from '../verification/sourcify.ts'
import { submitAll, writeVerification } from '../verification/verify.ts'
import { chooseSetup } from './choose-setup.ts'
import type { CommandIo } from './command-io.ts'
import type { DeployWords } from './options.ts'
import { findFiles } from './place.ts'
import { planDeployment } from './plan.ts'
import { toSetup } from './recorded-setup.ts'

/** Interval and time limit for polling the services that verify source code, milliseconds. */
const defaultPolling = { pollInterval: 3000, timeout: 300_000 }

/**
 * Writes the compiler's inputs of a recorded deployment, and submits them to the services that verify source code.
 * @returns the exit code
 */
export async function verify(words: DeployWords, { env, say, polling = defaultPolling }: CommandIo): Promise<number> {
  const { network, file, record } = findFiles(words)
  if (!words['no-submit'] && Object.keys(record?.contracts ?? {}).length === 0) {
    throw new Error(
      `${file} records no contracts: nothing is submitted before they are deployed (--no-submit only writes).`,
    )
  }
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
