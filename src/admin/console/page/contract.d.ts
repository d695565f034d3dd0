export { BASES, CODIGOS_TRIBUNAL as TRIBUNAIS, RAMOS, TIPOS, UFS } from '../../../contract/vocabulary.ts';
