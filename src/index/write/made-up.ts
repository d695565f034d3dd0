/** Whether a decision is one of the generator's, which marks each in its `extras`. */
export function isMadeUp(extras: object | null | undefined): boolean {
  return extras !== null && extras !== undefined && 'demonstracao' in extras && extras.demonstracao === true;
}
