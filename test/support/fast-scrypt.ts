import { scryptSync } from 'node:crypto'
import type { Scrypt, ScryptCost } from '../../api/identity/password-hasher.ts'

/** As good as the real one for whoever does not try to break it, in no time. */
export const fastScrypt: Scrypt = async (password, salt) => scryptSync(password, salt, 32, { cost: 2 })

/** The same, and the work that was asked of it. */
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
