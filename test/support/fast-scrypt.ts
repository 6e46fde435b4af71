import { scryptSync } from 'node:crypto'
import type { Scrypt, ScryptCost } from '../../api/identity/password-hasher.ts'

/** A fast replacement of the real function, without its cost for an attacker. */
export const fastScrypt: Scrypt = async (password, salt) => scryptSync(password, salt, 32, { cost: 2 })

/** The same, and a record of the calls. */
export function countedScrypt(): { scrypt: Scrypt; costs: ScryptCost[] } {
  const costs: ScryptCost[] = []
  return {
    costs,
    scrypt: (password, salt, cost) => {
      costs.push(cost)
      return fastScrypt(password, salt, cost)
    },
  }
}
