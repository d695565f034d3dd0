export { NO_VALUE, numbersIn } from '../../../contract/numbers.ts';
