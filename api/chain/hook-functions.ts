import type { Hex } from 'viem'

/** The functions of the ERC-8195 hook ABI by selector. All selectors together, by exclusive or, are its ERC-165 id. */
export const hookFunctions: ReadonlyMap<Hex, string> = new Map([
  ['0x97942309', 'checkFund'],
  ['0xac63e52c', 'checkClaim'],
  ['0x03e71b04', 'checkSelectWorker'],
  ['0xb65065f4', 'checkSubmit'],
  ['0xde54572a', 'checkEvaluate'],
  ['0xa781010a', 'checkComplete'],
  ['0x8b42bc91', 'onComplete'],
  ['0xe1ef65a9', 'onForfeit'],
  ['0xa55e8383', 'onCancel'],
  ['0x19e10090', 'onExpire'],
])
