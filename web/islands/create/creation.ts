/** Makes a task from the form of `/tasks/new`. */
export function startCreation(): void {}
