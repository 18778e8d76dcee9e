throw new Error('this preload throws');
