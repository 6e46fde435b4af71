/**
 * Creates or changes a vault that funds tasks (docs/build/vaults.md, "For sponsors"). The key must be that of the
 * vault's owner.
 *
 *   OWNER_KEY=0x... node scripts/contracts/vault-command.ts <command> --rpc-url URL [--vault ADDRESS] [--confirm]
 *
 *   create --factory ADDRESS --token ADDRESS [--salt TEXT]   make a vault; another text makes another one
 *   show                                                     what it holds, and how it is set
 *   charger [--hook ADDRESS] [--forbid]                      allow a hook to charge it; the market's own unless named
 *   fee-credit --value N                                     platform fees that new charges may cause
 *   manager --manager ADDRESS --value N [--forbid]           allow an account to create tasks, up to N in all
 *   fund --value N                                           move tokens of the account into it
 *   withdraw --value N --to ADDRESS                          take what is not promised
 *   announce-exit                                            end new charges, seven days before an exit
 *   exit --to ADDRESS                                        take everything but platform fees, for good
 *   collect-fees                                             send the platform fees; any account can
 *
 * Amounts are base units of the vault's token. The key comes from the environment, so that it is in no process list and
 * no shell history. `--confirm` is required for changes that cannot be undone, and to allow a hook that is not the
 * market's own.
 */
import { runVaultCommand } from './run-vault-command.ts'

const output = await runVaultCommand(process.argv.slice(2), process.env.OWNER_KEY)
if (output !== '') console.log(output)
