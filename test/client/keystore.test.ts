import { writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { findFoundryBinary } from '../../scripts/contracts/forge.ts'
import { anActor } from '../support/actors.ts'
import { runTool, wordsOf } from '../support/client/silent-io.ts'
import { aWalletDirectory } from '../support/client/wallets.ts'
import '../support/conformance.ts'
import { must } from '../support/packages/serve-packages.ts'

const password = 'correct horse'
const cast = findFoundryBinary('cast')

/** A folder, its file with the password, and our tool and `cast wallet` in it. */
function aKeyFolder() {
  const directory = aWalletDirectory()
  const passwordFile = join(directory, 'password')
  writeFileSync(passwordFile, `${password}\n`)
  const { baseUrl, deploymentFile } = inject('conformanceStack')
  const env = {
    TASK_MARKET_URL: baseUrl,
    TASK_MARKET_DEPLOYMENT: deploymentFile,
    TASK_MARKET_HOME: directory,
    TASK_MARKET_PASSWORD_FILE: passwordFile,
  }
  const run = async (line: string, more: Record<string, string> = {}) => {
    const { exit, out, err } = await runTool(wordsOf(line), { env: { ...env, ...more } })
    expect(exit, err).toBe(0)
    return JSON.parse(out)
  }
  const castWallet = async (...args: string[]) => (await must(cast, ['wallet', ...args])).trim()
  return { directory, run, castWallet, ofCast: ['--unsafe-password', password] }
}

describe('A keystore between this tool and cast 1.7.1', () => {
  test('given one that `wallet new` made, then cast has its address and its key', async () => {
    const { run, castWallet, ofCast } = aKeyFolder()
    expect(await must(cast, ['--version'])).toContain('1.7.1')
    const { address, keystore } = await run('wallet new')
    const folder = ['--keystore-dir', dirname(keystore)]
    const shown = await castWallet('decrypt-keystore', basename(keystore), ...folder, ...ofCast)
    const key = /0x[0-9a-f]{64}/.exec(shown)?.[0] ?? ''
    expect(await castWallet('address', '--private-key', key)).toBe(address)
  })

  test('given one that `cast wallet import` made, then this tool has the wallet of its key', async () => {
    const { directory, run, castWallet, ofCast } = aKeyFolder()
    const { key, account } = anActor()
    await castWallet('import', 'imported', '--keystore-dir', directory, '--private-key', key, ...ofCast)
    const { address } = await run('wallet balance --real-key', { TASK_MARKET_KEYSTORE: join(directory, 'imported') })
    expect(address).toBe(account.address)
  })
})
