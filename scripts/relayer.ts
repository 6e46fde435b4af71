/**
 * `npm run relayer -- <command>`: manages the relayers, the accounts that pay the gas of relayed writes. It reads the
 * service's settings DATABASE_URL, RPC_URL, DEPLOYMENT_FILE, RELAYER_KEYS and RELAYER_SIGNERS. Without them, it uses
 * the stack that `npm start` runs in this clone. Every command can be stopped and run again, because it first reads the
 * current state. `docs/operate/keys.md` says when to use which command.
 *
 *   list [--json]                       lists each relayer with its right to relay, ether, nonces and pending writes
 *   add ADDRESS                         allows an account to relay (setRelayer of the forwarder, by its owner)
 *   remove ADDRESS [--now]              takes the right to relay away, once no write of the relayer is pending.
 *                                       `--now`: at once, for example because the relayer's key was stolen
 *   fund --amount ETHER [ADDRESS ...]   tops each relayer up to this amount. Without addresses: all of the settings
 *   drain ADDRESS --to ADDRESS          sends the remaining ether of an account that may not relay any more, once all
 *                                       of its blocks are safe
 *
 * --dry-run                                says what would happen, with amounts; sends nothing
 * --keystore FILE [--password-file FILE]   key of the forwarder's owner (add, remove) or of the payer (fund)
 * --ledger [--derivation-path PATH]        the same key on a device. Without a key, add and remove print the call for a
 *                                          multisig. On a local chain, DEPLOYER_KEY may contain a key
 * --rpc-url URL                            another node than the first one of RPC_URL
 * --confirmations N                        number of blocks that confirm a changed right: 5, on a local chain 1
 */
import { BaseError } from 'viem'
import { runRelayer } from '../ops/relayer/command.ts'
import { chooseSigner, refuseKeyOfEnvironment } from './contracts/signers/choose-signer.ts'
import { findStack } from './stack/stack-file.ts'

try {
  const { DEPLOYER_KEY: key } = process.env
  await runRelayer(process.argv.slice(2), {
    environment: { ...settingsOfStack(), ...process.env },
    say: console.log,
    chooseSigner: async (words, isLocal) => {
      refuseKeyOfEnvironment({ local: isLocal }, key)
      return await chooseSigner(words, key)
    },
  })
} catch (error) {
  console.error(error instanceof BaseError ? error.shortMessage : error instanceof Error ? error.message : error)
  process.exitCode = 1
}

/** Returns the settings of the stack that runs in this clone; no settings if DATABASE_URL is set. */
function settingsOfStack(): Record<string, string> {
  const stack = process.env.DATABASE_URL || process.env.DATABASE_URL_FILE ? null : findStack()
  return stack?.settings.relayer ?? {}
}
