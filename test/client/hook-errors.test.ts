import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAbi } from 'viem'
import { describe, expect, inject, test } from 'vitest'
import { runTool, wordsOf } from '../support/client/silent-io.ts'
import { aWalletDirectory } from '../support/client/wallets.ts'
import { openEnvironment } from '../support/conformance.ts'
import { deployExampleHook } from '../support/example-hooks.ts'

const environment = openEnvironment()

describe('The command line tool, given an ABI of a hook', () => {
  test('given a refusal of the hook, then its error is named, by a node’s simulation and by the service', async () => {
    const [requester, worker] = [await environment.aWallet(), await environment.aWallet()]
    const hook = await deployExampleHook(environment.chain, 'AllowListHook', [requester.address, []])
    const taskId = await environment.createTask(requester, { hookContract: hook })
    const directory = aWalletDirectory()
    const [abi, file] = [join(directory, 'errors.json'), join(directory, 'haiku.txt')]
    writeFileSync(abi, JSON.stringify(parseAbi(['error WorkerNotAllowed(address worker)'])))
    writeFileSync(file, 'Money waits in trust')
    const { baseUrl, rpcUrl, deploymentFile } = inject('conformanceStack')
    const env = {
      TASK_MARKET_URL: baseUrl,
      TASK_MARKET_RPC_URL: rpcUrl,
      TASK_MARKET_DEPLOYMENT: deploymentFile,
      TASK_MARKET_HOME: directory,
      TASK_MARKET_PRIVATE_KEY: worker.key,
    }
    const submit = `task submit ${taskId} --file ${file} --yes`
    const error = `WorkerNotAllowed(${worker.address})`
    const refused = async (line: string) =>
      JSON.parse((await runTool(wordsOf(line), { env })).err.split('\n').at(-2) ?? '')

    expect(await refused(`${submit} --dry-run --abi ${abi}`)).toMatchObject({
      reason: 'would_revert',
      message: expect.stringMatching(new RegExp(`HookVetoed\\(.*, ${error.replace(/[()]/g, '\\$&')}\\)`, 'i')),
    })
    expect((await refused(`${submit} --abi ${abi}`)).message.toLowerCase()).toContain(
      `in checksubmit with ${error.toLowerCase()} (hookvetoed)`,
    )
    expect((await refused(submit)).message).toMatch(
      /in checkSubmit with 0x[0-9a-f]{8}, data 0x[0-9a-f]{72} \(HookVetoed\)/,
    )
  })

  test('given a file without errors, then the command is refused', async () => {
    const abi = join(aWalletDirectory(), 'errors.json')
    writeFileSync(abi, '[]')
    expect(await runTool(wordsOf(`task list --abi ${abi}`))).toMatchObject({ exit: 2, out: '' })
  })
})
