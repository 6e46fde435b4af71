/** Shows the inbox and the action queue of the connected wallet. */
export async function startWorklist(): Promise<void> {}
